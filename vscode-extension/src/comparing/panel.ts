/** The newest comparison beside the code, and both sides of the files that its candidates change. */

import * as vscode from "vscode";
import type { ComparedResult, SidesResult } from "../protocol";
import { LINKED, page } from "./page";

const KIND = "gateline.comparison";
const SCHEME = "gateline-candidate";

export class ComparisonPanel implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** What the page shows. */
  compared: ComparedResult | undefined;
  private panel: vscode.WebviewPanel | undefined;
  private readonly texts = new Map<string, string>();
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly extension: vscode.Uri) {}

  show(compared: ComparedResult): void {
    this.compared = compared;
    this.texts.clear();
    const panel = this.panel ?? this.made();
    const media = vscode.Uri.joinPath(this.extension, "media");
    const style = String(panel.webview.asWebviewUri(vscode.Uri.joinPath(media, "panel", "panel.css")));
    panel.webview.html = page(compared, { origin: panel.webview.cspSource, style });
    panel.reveal();
  }

  close(): void {
    this.panel?.dispose();
  }

  /** Open what a candidate changed in the diff editor, the base on the left. */
  async showChanges(candidate: string, files: readonly SidesResult[]): Promise<void> {
    const sides = files.map((file) => [this.put(candidate, "", file), this.put(candidate, "before", file), this.put(candidate, "after", file)] as const);
    const [first] = sides;
    const [file] = files;
    if (first === undefined || file === undefined) void vscode.window.showInformationMessage("Nothing differs.");
    else if (sides.length === 1) await vscode.commands.executeCommand("vscode.diff", first[1], first[2], `${candidate}: ${file.path}`);
    else await vscode.commands.executeCommand("vscode.changes", `Changes of ${candidate}`, sides);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(String(uri)) ?? "";
  }

  dispose(): void {
    this.panel?.dispose();
    this.registered.dispose();
  }

  private put(candidate: string, side: "before" | "after" | "", file: SidesResult): vscode.Uri {
    const query = JSON.stringify([this.compared?.comparison, candidate, side]);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${file.path}`, query });
    if (side !== "") this.texts.set(String(uri), file[side] ?? "");
    return uri;
  }

  private made(): vscode.WebviewPanel {
    const media = vscode.Uri.joinPath(this.extension, "media");
    const options = { enableScripts: false, enableCommandUris: LINKED, localResourceRoots: [media] };
    const panel = vscode.window.createWebviewPanel(KIND, "Candidates", vscode.ViewColumn.Active, options);
    panel.iconPath = vscode.Uri.joinPath(media, "icon.png");
    panel.onDidDispose(() => (this.panel = undefined));
    return (this.panel = panel);
  }
}
