;;; gateline-eglot.el --- gateline as Eglot's server for Python  -*- lexical-binding: t -*-

;; Load this file, or copy what you like into your init file; then `M-x eglot' in a Python buffer.

(require 'eglot)

(add-to-list 'eglot-server-programs '((python-mode python-ts-mode) . ("gateline" "server")))

;; The score in the mode line.  Without this everything else works just the same.
(defvar gateline-status "" "What gateline said last of the change, as in \"GL 86 ▲3\".")
(put 'gateline-status 'risky-local-variable t)

(cl-defmethod eglot-handle-notification
  (_server (_method (eql gateline/status)) &key label &allow-other-keys)
  "Show LABEL, the change's score in short, in the mode line."
  (setq gateline-status (concat " " label))
  (force-mode-line-update t))

(add-to-list 'mode-line-misc-info '(eglot--managed-mode gateline-status) t)

(provide 'gateline-eglot)
;;; gateline-eglot.el ends here
