;;; session.el --- A session with gateline in a real Emacs  -*- lexical-binding: t -*-

;; Run with: emacs -q --batch -l session.el; the exit code is 1 when something is not as expected.

(require 'package)
(package-initialize)
(load (getenv "SETTINGS"))
(setq eglot-sync-connect 60 eglot-confirm-server-initiated-edits nil)

(defun session-wait (what condition)
  "Let Emacs go on until CONDITION is non-nil and return that; fail for WHAT after 30 s."
  (let ((until (+ (float-time) 30)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) until) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))
    (message "ok %s" what)
    value))

(defun session-loud ()
  "The texts of the findings that are louder than a note."
  (mapcar #'flymake-diagnostic-text
          (seq-remove (lambda (d) (eq (flymake-diagnostic-type d) 'eglot-note)) (flymake-diagnostics))))

(defun session-tell ()
  "Tell the server of edits: idle timers, which do so otherwise, do not run in batch."
  (eglot--signal-textDocument/didChange))

(with-current-buffer (find-file-noselect (expand-file-name "cart.py" (getenv "PROJECT")))
  (apply #'eglot (eglot--guess-contact))
  (flymake-mode 1)
  (flymake-start nil)
  (session-wait "the server to manage the buffer" #'eglot-managed-p)
  (session-wait "a clean status" (lambda () (equal gateline-status " GL –")))
  (goto-char (point-max))
  (insert "def (\n")
  (session-tell)
  (session-wait "a syntax error" #'session-loud)
  (delete-region (line-beginning-position 0) (point-max))
  (session-tell)
  (session-wait "it to go" (lambda () (null (session-loud))))
  (insert "COUNT: int = 'two'\n")
  (session-tell)
  (session-wait "a type error" (lambda () (string-match-p "Incompatible types" (format "%s" (session-loud)))))
  (session-wait "a score" (lambda () (string-match-p "\\` GL [0-9]" gateline-status)))
  (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover
                                (progn (forward-line -1) (search-forward "= ") (eglot--TextDocumentPositionParams)))))
    (unless (string-match-p "mypy" (format "%s" hover)) (error "No hover: %s" hover)))
  (message "ok hover")
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server)))
(message "1 passed, 0 failed")
(kill-emacs 0)
