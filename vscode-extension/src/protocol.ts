// Generated from schemas/protocol by `npm run generate`; edit the server's models instead.

/**
 * All of gateline's own messages.
 */
export interface Messages {
  AutodebugParams: AutodebugParams;
  AutodebugResult: AutodebugResult;
  CurrentParams: CurrentParams;
  CurrentResult: CurrentResult;
  TasksParams: TasksParams;
  DetectResult: DetectResult;
  DetectedParams: DetectedParams;
  EvaluateParams: EvaluateParams;
  EvaluationResult: EvaluationResult;
  HistoryParams: HistoryParams;
  HistoryResult: HistoryResult;
  ClientSettings: ClientSettings;
  ContextForPositionParams: ContextForPositionParams;
  ContextResult: ContextResult;
  ContextSearchParams: ContextSearchParams;
  ContextStatusParams: ContextStatusParams;
  ContextStatusResult: ContextStatusResult;
  CoverageParams: CoverageParams;
  CoverageResult: CoverageResult;
  DoctorParams: DoctorParams;
  DoctorResult: DoctorResult;
  CompareParams: CompareParams;
  CompareResult: CompareResult;
  SavepointsResult: SavepointsResult;
  StatusParams: StatusParams;
  FinishTaskParams: FinishTaskParams;
  ShowTaskResult: ShowTaskResult;
  TasksResult: TasksResult;
  ShowTaskParams: ShowTaskParams;
  StartTaskParams: StartTaskParams;
  TaskResult: TaskResult;
  UpdateTaskParams: UpdateTaskParams;
  CancelTestsParams: CancelTestsParams;
  CancelTestsResult: CancelTestsResult;
  RunTestsParams: RunTestsParams;
  RunTestsResult: RunTestsResult;
}
/**
 * What to repair: a finding of an open document, or the error of a traceback.
 */
export interface AutodebugParams {
  /**
   * The document; with a traceback any URI in the folder, or null for the first.
   */
  uri?: string | null;
  /**
   * The finding; null for the first one in the document that a repair may be known for.
   */
  identity?: string | null;
  /**
   * What Python or pytest printed.
   */
  traceback?: string | null;
  /**
   * Where progress is reported.
   */
  workDoneToken?: number | string | null;
}
/**
 * What the search came to. Nothing is applied.
 */
export interface AutodebugResult {
  success: boolean;
  /**
   * The message of the error that was looked into.
   */
  error: string;
  /**
   * V1, V2 or V3; null without success.
   */
  proof: string | null;
  /**
   * Whether no other repair was as likely.
   */
  clear: boolean;
  title: string;
  /**
   * The repair, against the texts as they are.
   */
  edits: EditResult[];
  texts: RepairedText[];
  iterations: number;
  attempts: AttemptResult[];
  /**
   * What was tried and why, a sentence for each step.
   */
  reasoning: string[];
  /**
   * Without success: what a person should know, in Markdown.
   */
  document: string;
}
/**
 * The characters of a span become a text.
 */
export interface EditResult {
  /**
   * Relative to the root, with `/`.
   */
  path: string;
  span: SpanResult;
  text: string;
}
/**
 * The characters from `start` up to, and without, `end`.
 */
export interface SpanResult {
  start: PositionResult;
  end: PositionResult;
}
/**
 * A place: zero-based, columns in code points.
 */
export interface PositionResult {
  /**
   * Zero-based line.
   */
  line: number;
  /**
   * Zero-based column, in code points.
   */
  column: number;
}
/**
 * A whole text after the repair.
 */
export interface RepairedText {
  /**
   * Relative to the root, with `/`.
   */
  path: string;
  /**
   * Of the text that the edits are for: 32 hexadecimal digits of BLAKE2b.
   */
  digest: string;
  /**
   * Of the open document that the edits are for.
   */
  version: number | null;
  text: string;
}
/**
 * A repair that was considered.
 */
export interface AttemptResult {
  /**
   * From 1.
   */
  iteration: number;
  family: string;
  pattern: string;
  title: string;
  /**
   * refused (it breaks a house rule), failed, partial or verified.
   */
  outcome: string;
  reason: string;
  /**
   * A unified difference.
   */
  diff: string;
}
/**
 * Whose evaluation.
 */
export interface CurrentParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
}
/**
 * What the status bar speaks of.
 */
export interface CurrentResult {
  /**
   * Null until the change was judged once.
   */
  evaluation: EvaluationResult | null;
}
/**
 * All that is said of a change at one checkpoint. The same content gives the same bytes.
 */
export interface EvaluationResult {
  /**
   * Of this format; rises when a reader would have to change.
   */
  version: number;
  /**
   * early, middle or final.
   */
  level: string;
  /**
   * How the checkpoint was known: said, counted or inferred.
   */
  progress: string;
  /**
   * The commit it is measured against, or `session`.
   */
  base: string;
  /**
   * How the base was found.
   */
  baseLabel: string;
  score: ScoreResult;
  decision: DecisionResult;
  findings: FindingResult[];
  suppressed: FindingResult[];
  /**
   * Suppression comments that the change adds.
   */
  suppressionsAdded: number;
  /**
   * Findings of the base that went away.
   */
  fixed: FindingResult[];
  files: FileResult[];
  functions: FunctionResult[];
  /**
   * What could not be judged, and why.
   */
  limits: string[];
  /**
   * What the final gate compares with.
   */
  thresholds: ThresholdsResult | null;
  /**
   * Null when no tests were run.
   */
  tests: TestRunResult | null;
}
/**
 * 0-100, or null when nothing could be measured.
 */
export interface ScoreResult {
  /**
   * After floors.
   */
  value: number | null;
  /**
   * Before floors.
   */
  raw: number | null;
  /**
   * The share of the weight that could be measured, 0-1.
   */
  evidence: number;
  parts: PartResult[];
  /**
   * Why the score is capped.
   */
  floors: string[];
  /**
   * Old findings that went away.
   */
  credit: number;
}
/**
 * One dimension's part of the score.
 */
export interface PartResult {
  dimension: string;
  /**
   * measured, nothing to judge, not due, no data, stale, or failed.
   */
  state: string;
  /**
   * Why there is no number.
   */
  reason: string;
  /**
   * 0-100; null unless measured.
   */
  value: number | null;
  /**
   * Its share among the measured dimensions.
   */
  weight: number;
  /**
   * What it adds to the score; all points add up to `raw`.
   */
  points: number;
  /**
   * The same value at the base.
   */
  before: number | null;
  /**
   * The numbers behind it, for people.
   */
  detail: string;
}
/**
 * What the gate says, and why.
 */
export interface DecisionResult {
  outcome: string;
  /**
   * PASS, WARN or FAIL.
   */
  status: string;
  reasons: string[];
  requiredActions: ActionResult[];
}
/**
 * What to do next.
 */
export interface ActionResult {
  text: string;
  /**
   * What the score would win.
   */
  points: number;
  /**
   * The identity of the finding it mends.
   */
  finding: string;
  path: string;
  /**
   * Zero-based.
   */
  line: number;
  /**
   * A floor: without it nothing is accepted.
   */
  must: boolean;
}
/**
 * One problem at one place.
 */
export interface FindingResult {
  /**
   * 12 hexadecimal digits; survives edits elsewhere.
   */
  identity: string;
  /**
   * GTL and three digits.
   */
  code: string;
  /**
   * Relative to the root, with `/`.
   */
  path: string;
  span: SpanResult;
  message: string;
  dimension: string;
  /**
   * floor, counts or advice.
   */
  weight: string;
  /**
   * new or old, against the base.
   */
  novelty: string;
  /**
   * The tool and its own code; empty for gateline's own rules.
   */
  origin: string;
  /**
   * The function or class around it.
   */
  symbol: string;
  /**
   * A faster tool's answer, to be replaced.
   */
  provisional: boolean;
  related: RelatedResult[];
  /**
   * error, warning, information or hint: how it is shown at this level.
   */
  severity: string;
  /**
   * Where its code is explained.
   */
  page: string;
  /**
   * What the score would win without it; 0 when it costs nothing.
   */
  points: number;
}
/**
 * A second place that explains a finding.
 */
export interface RelatedResult {
  /**
   * Relative to the root, with `/`.
   */
  path: string;
  span: SpanResult;
  message: string;
}
/**
 * A changed file; null where there is no number.
 */
export interface FileResult {
  path: string;
  /**
   * added, modified, renamed or deleted.
   */
  status: string;
  /**
   * Why it was not analysed; empty when it was.
   */
  skipped: string;
  linesBefore: number | null;
  linesAfter: number | null;
  maintainabilityBefore: number | null;
  maintainabilityAfter: number | null;
}
/**
 * A changed function's cyclomatic complexity; null where it does not exist.
 */
export interface FunctionResult {
  path: string;
  symbol: string;
  /**
   * Zero-based.
   */
  line: number;
  complexityBefore: number | null;
  complexityAfter: number | null;
}
/**
 * What the final gate compares with.
 */
export interface ThresholdsResult {
  /**
   * A score of at least this is accepted.
   */
  accept: number;
  /**
   * A score of at least this is accepted on conditions.
   */
  conditional: number;
  /**
   * Less evidence than this is not enough to decide, 0-1.
   */
  evidence: number;
}
/**
 * Which tests spoke of the change, and why these.
 */
export interface TestRunResult {
  /**
   * affected or all.
   */
  which: string;
  /**
   * How many ran for this; what the others said before still holds.
   */
  run: number;
  /**
   * How many there are.
   */
  total: number;
  /**
   * Why the affected ones were chosen, the commonest first.
   */
  why: string[];
  /**
   * Why not all ran, where that was wanted.
   */
  note: string;
}
/**
 * Whose tasks or savepoints.
 */
export interface TasksParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
}
/**
 * Work that was left, if there is any and the change at hand is worth asking.
 */
export interface DetectResult {
  left: LeftWork | null;
}
/**
 * Work that was left.
 */
export interface LeftWork {
  task: TaskResult;
  /**
   * What a person is told.
   */
  message: string;
  /**
   * The command that brings its content back.
   */
  restore: string;
}
/**
 * One piece of work.
 */
export interface TaskResult {
  id: string;
  description: string;
  /**
   * EXEMPT, LIGHT, STANDARD or STRICT: how much is at stake.
   */
  tier: string;
  /**
   * Why it has this tier.
   */
  tierReason: string;
  /**
   * Empty for a commit that no branch has.
   */
  branch: string;
  /**
   * in_progress, completed or abandoned.
   */
  outcome: string;
  /**
   * UTC, ISO 8601.
   */
  startedAt: string;
  /**
   * UTC, ISO 8601; null while it is in progress.
   */
  endedAt: string | null;
  /**
   * The newest savepoint; empty when there is none.
   */
  savepoint: string;
}
/**
 * Work that was left, told once.
 */
export interface DetectedParams {
  /**
   * The folder's URI.
   */
  folder: string;
  left: LeftWork;
}
/**
 * What to judge, and for which checkpoint.
 */
export interface EvaluateParams {
  /**
   * change: what differs from the base; project: all files; buffer: one document.
   */
  scope?: "change" | "project" | "buffer";
  /**
   * The checkpoint; null infers it from what happened last.
   */
  level?: ("early" | "middle" | "final") | null;
  /**
   * With scope buffer, the document; else any URI in the folder, or null for the first.
   */
  uri?: string | null;
  /**
   * So many iterations are done: without a level, it follows from this.
   */
  iteration?: number | null;
  /**
   * How many iterations there will be.
   */
  iterations?: number;
  /**
   * Where progress is reported.
   */
  workDoneToken?: number | string | null;
}
/**
 * Whose history.
 */
export interface HistoryParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * task, branch: also the scores that are remembered of them.
   */
  of?: "session" | "task" | "branch";
}
/**
 * The evaluations of a session, and the scores that are remembered.
 */
export interface HistoryResult {
  /**
   * Of this session, oldest first.
   */
  entries: HistoryEntry[];
  /**
   * Of the task or branch, oldest first.
   */
  scores: ScoreEntry[];
}
/**
 * One evaluation in short.
 */
export interface HistoryEntry {
  /**
   * UTC, ISO 8601.
   */
  timestamp: string;
  /**
   * early, middle or final.
   */
  level: string;
  /**
   * How the checkpoint was known: said, counted or inferred.
   */
  progress: string;
  /**
   * What the gate said.
   */
  decision: string;
  /**
   * The decision in a word: PASS, WARN or FAIL.
   */
  status: string;
  /**
   * Why the gate said so; empty when nothing stood in the way.
   */
  reason: string;
  /**
   * 0-100; null when nothing could be measured.
   */
  score: number | null;
  /**
   * Against the entry before, over what was measured in both.
   */
  delta: number | null;
  /**
   * What moved since the entry before, of what was measured in both.
   */
  moved: MoveResult[];
  /**
   * The share of the weight that could be measured, 0-1.
   */
  evidence: number;
  /**
   * How many findings, new and old.
   */
  findings: number;
  /**
   * How many findings the change brought.
   */
  newFindings: number;
  /**
   * How many floors cap the score.
   */
  floors: number;
}
/**
 * A dimension whose value is another than in the entry before.
 */
export interface MoveResult {
  dimension: string;
  /**
   * How far its value rose or, below 0, fell.
   */
  by: number;
}
/**
 * A remembered score: a point of a plot.
 */
export interface ScoreEntry {
  /**
   * UTC, ISO 8601.
   */
  timestamp: string;
  /**
   * The identifier of its task.
   */
  task: string;
  /**
   * Empty for a commit that no branch has.
   */
  branch: string;
  /**
   * early, middle or final.
   */
  level: string;
  /**
   * How the checkpoint was known: said, counted or inferred.
   */
  progress: string;
  /**
   * What the gate said.
   */
  decision: string;
  /**
   * 0-100; null when nothing could be measured.
   */
  score: number | null;
  /**
   * The share of the weight that could be measured, 0-1.
   */
  evidence: number;
  /**
   * The value of each measured dimension, 0-100.
   */
  parts: {
    [k: string]: number;
  };
}
/**
 * What a client says of a folder. It changes when and how things show, never a verdict.
 */
export interface ClientSettings {
  /**
   * The Python of the project: a path, or a list that starts with one.
   */
  interpreter?: string | string[] | null;
  /**
   * Whether plug-ins and commands of the project may run.
   */
  trusted?: boolean;
  /**
   * How findings come to the editor; without it the server chooses by what it can.
   */
  diagnostics?: ("push" | "pull") | null;
  /**
   * Dimensions, tools or codes whose findings another server draws: counted, not drawn.
   */
  drawnElsewhere?: string[];
}
/**
 * A place whose surroundings are to be changed.
 */
export interface ContextForPositionParams {
  /**
   * A document of the folder, open or not.
   */
  uri: string;
  position: PlaceParams;
  /**
   * Tokens of a language model, about.
   */
  budget?: number;
  /**
   * Where progress is reported while the index is made.
   */
  workDoneToken?: number | string | null;
}
/**
 * A place in a document, as the Language Server Protocol has it; only the line counts.
 */
export interface PlaceParams {
  /**
   * Zero-based.
   */
  line: number;
  character?: number;
}
/**
 * The passages, which tiers found them, and what was missing.
 */
export interface ContextResult {
  passages: PassageResult[];
  /**
   * Those that took part: symbols, lexical, static, semantic.
   */
  tiers: string[];
  /**
   * What took no part, or only half, each with its reason.
   */
  degraded: {
    [k: string]: string;
  };
  /**
   * Of all passages.
   */
  tokens: number;
  /**
   * How many passages were found that do not fit into the budget.
   */
  leftOut: number;
  /**
   * That what was counted comes near the task's bound, or passes it.
   */
  warning: string;
}
/**
 * A piece of the workspace that matters.
 */
export interface PassageResult {
  /**
   * Relative to the root, with `/`.
   */
  path: string;
  /**
   * The document, as the client spells it where it is open.
   */
  uri: string;
  /**
   * function, method, class, module, section or table.
   */
  kind: string;
  /**
   * Qualified; of a section its heading.
   */
  name: string;
  lines: LinesResult;
  /**
   * What to show, secrets left out.
   */
  text: string;
  /**
   * Higher is better; comparable within one answer only.
   */
  score: number;
  /**
   * The reasons in words, the weightiest first.
   */
  why: string[];
  /**
   * Of the text in the document, before anything was left out.
   */
  hash: string;
  /**
   * About how many tokens the text takes.
   */
  tokens: number;
  /**
   * Whether only the head of it fits into the budget.
   */
  shortened: boolean;
}
/**
 * Whole lines: those from `first` up to and with `last`, both zero-based.
 */
export interface LinesResult {
  first: number;
  last: number;
}
/**
 * A question in words, or code.
 */
export interface ContextSearchParams {
  /**
   * Words, a name, or some code.
   */
  query: string;
  /**
   * With a position, the document; else any URI in the folder.
   */
  uri?: string | null;
  /**
   * Where the cursor stands; null asks from nowhere.
   */
  position?: PlaceParams | null;
  /**
   * What comes first; the others stand behind it.
   */
  kind?: "implementation" | "tests" | "docs" | "any";
  /**
   * Tokens of a language model, about.
   */
  budget?: number;
  /**
   * The most passages.
   */
  limit?: number;
  /**
   * Milliseconds that a tier may take which is not needed.
   */
  deadline?: number;
  /**
   * For a model or an agent: the tokens are counted in the task of the branch, and it is said when they pass its bound.
   */
  counted?: boolean;
  /**
   * Where progress is reported while the index is made.
   */
  workDoneToken?: number | string | null;
}
/**
 * Which index.
 */
export interface ContextStatusParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * Look at all files again first; cancelling stops the waiting.
   */
  refresh?: boolean;
  /**
   * Where progress is reported.
   */
  workDoneToken?: number | string | null;
}
/**
 * How the index of a folder stands.
 */
export interface ContextStatusResult {
  /**
   * off, waiting (for the first question), indexing, ready or failed.
   */
  state: string;
  /**
   * What went wrong, or happened to an index that was there.
   */
  message: string;
  files: number;
  chunks: number;
  /**
   * Bytes on the disk.
   */
  size: number;
  /**
   * Where the index is kept; empty until it is known.
   */
  folder: string;
  /**
   * Files that were read since indexing began.
   */
  done: number;
  /**
   * Files that are to be read.
   */
  of: number;
  tiers: TierResult[];
  /**
   * Of this session: `questions`, and by what took no part how many of them did without.
   */
  counts: {
    [k: string]: number;
  };
}
/**
 * How one tier stands.
 */
export interface TierResult {
  name: string;
  /**
   * ready, working, waiting, off, missing or failed.
   */
  state: string;
  /**
   * Which engine and model, and why; or what is missing.
   */
  detail: string;
  /**
   * Chunks that it knows.
   */
  done: number;
}
/**
 * Which document.
 */
export interface CoverageParams {
  /**
   * An open document.
   */
  uri: string;
}
/**
 * The changed lines of a document, as tests execute them. All lines are zero-based.
 */
export interface CoverageResult {
  /**
   * Of the document that this speaks of; null when nobody counts.
   */
  version: number | null;
  /**
   * measured, nothing to judge, no data, stale, or failed.
   */
  state: string;
  /**
   * Why there are no lines, or why some are not known.
   */
  reason: string;
  /**
   * First lines of changed statements that tests execute.
   */
  covered: number[];
  /**
   * Those that no test executes.
   */
  uncovered: number[];
  /**
   * Those that must be measured again before anybody knows.
   */
  stale: number[];
  /**
   * Missing branches of covered lines.
   */
  branches: MissingBranch[];
}
/**
 * A way on from a line that no test takes.
 */
export interface MissingBranch {
  /**
   * Zero-based.
   */
  line: number;
  /**
   * Which way, and why it was not taken.
   */
  message: string;
}
/**
 * Which folder to look at.
 */
export interface DoctorParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
}
/**
 * What was chosen in a folder, and why.
 */
export interface DoctorResult {
  /**
   * The worst of all facts.
   */
  health: "ok" | "warning" | "problem";
  /**
   * Facts that belong together.
   */
  sections: DoctorSection[];
  /**
   * Seconds that each step of looking took.
   */
  timings: {
    [k: string]: number;
  };
}
/**
 * Facts that belong together.
 */
export interface DoctorSection {
  title: string;
  facts: DoctorFact[];
}
/**
 * One thing that was chosen.
 */
export interface DoctorFact {
  name: string;
  value: string;
  why: string;
  health: "ok" | "warning" | "problem";
}
/**
 * Which two contents.
 */
export interface CompareParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * A savepoint, or how its identifier begins.
   */
  before: string;
  /**
   * Another one; null is the content of now.
   */
  after?: string | null;
}
/**
 * What differs between two contents.
 */
export interface CompareResult {
  /**
   * As `git diff` shows it; empty when nothing differs.
   */
  diff: string;
  /**
   * The files that differ, sorted.
   */
  files: string[];
}
/**
 * The savepoints of a workspace.
 */
export interface SavepointsResult {
  /**
   * Newest first.
   */
  savepoints: SavepointResult[];
}
/**
 * The content of a workspace at a moment.
 */
export interface SavepointResult {
  id: string;
  /**
   * UTC, ISO 8601.
   */
  timestamp: string;
  /**
   * Why it was taken.
   */
  label: string;
  /**
   * What it does not hold.
   */
  uncovered: UncoveredResult[];
}
/**
 * Something that a savepoint does not hold.
 */
export interface UncoveredResult {
  path: string;
  reason: string;
}
/**
 * The state of one folder's change.
 */
export interface StatusParams {
  /**
   * The folder's URI.
   */
  folder: string;
  /**
   * In short: `GL 86 ▲3`, `GL –` unchanged, `GL …` working, `GL ?` undecided.
   */
  label: string;
  /**
   * Whether an evaluation is under way.
   */
  working: boolean;
  /**
   * Why the change could not be judged at all; empty when it was.
   */
  problem: string;
  /**
   * Whether anything differs from the base.
   */
  changed: boolean;
  /**
   * 0-100; null when nothing could be measured.
   */
  score: number | null;
  /**
   * The score before floors: the sum of all points.
   */
  raw: number | null;
  /**
   * Against the evaluation before, over what was measured in both.
   */
  delta: number | null;
  /**
   * What the gate says.
   */
  decision: string | null;
  /**
   * The decision in a word: PASS, WARN or FAIL.
   */
  status: string | null;
  /**
   * Why the gate says so.
   */
  reasons: string[];
  /**
   * What to do next, most points first.
   */
  requiredActions: ActionResult[];
  /**
   * early, middle or final.
   */
  checkpoint: string | null;
  /**
   * How the checkpoint was known: said, counted or inferred.
   */
  progress: string | null;
  /**
   * What the change is measured against.
   */
  baseLabel: string;
  /**
   * The share of the weight that could be measured, 0-1.
   */
  evidence: number;
  /**
   * Each dimension: its state, why, and its points.
   */
  states: PartResult[];
  /**
   * Why the score is capped; empty when it is not.
   */
  floors: string[];
  /**
   * What could not be judged, and why.
   */
  limits: string[];
  /**
   * How many findings the change brought.
   */
  newFindings: number;
  /**
   * Null when no tests were run.
   */
  tests: TestRunResult | null;
}
/**
 * A task that ends.
 */
export interface FinishTaskParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * An identifier or how it begins; null is the task in progress on this branch.
   */
  task?: string | null;
  /**
   * What became of it.
   */
  outcome?: "completed" | "abandoned";
}
/**
 * A task with what was recorded of it; null when this branch has none.
 */
export interface ShowTaskResult {
  task: TaskResult | null;
  todos: TodoResult[];
  /**
   * Oldest first; many edits of one file are few.
   */
  events: EventResult[];
  summaries: {
    [k: string]: unknown;
  }[];
  /**
   * All of it as Markdown.
   */
  page: string;
  /**
   * Why the page is not whole, or that its bound comes near.
   */
  warning: string;
}
/**
 * An item of a task's list.
 */
export interface TodoResult {
  text: string;
  state: "open" | "done";
}
/**
 * Something that happened in a task.
 */
export interface EventResult {
  /**
   * UTC, ISO 8601.
   */
  timestamp: string;
  /**
   * As `checkpoint`, `saved`, `tests`, `commit`, `savepoint`.
   */
  kind: string;
  /**
   * What belongs to the kind.
   */
  detail: {
    [k: string]: unknown;
  };
}
/**
 * The tasks of a workspace.
 */
export interface TasksResult {
  /**
   * Newest first.
   */
  tasks: TaskResult[];
}
/**
 * Which task.
 */
export interface ShowTaskParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * An identifier or how it begins; null is the newest task of this branch.
   */
  task?: string | null;
  /**
   * The page is for a model or an agent: within the bound of its tier, and counted.
   */
  bounded?: boolean;
}
/**
 * A task that begins.
 */
export interface StartTaskParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * What it is about.
   */
  description: string;
  /**
   * Null infers it from the change.
   */
  tier?: ("EXEMPT" | "LIGHT" | "STANDARD" | "STRICT") | null;
  /**
   * What is to be done.
   */
  todos?: string[];
  /**
   * Files that will be changed, relative to the root.
   */
  plans?: string[];
}
/**
 * What is new of a task.
 */
export interface UpdateTaskParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * An identifier or how it begins; null is the task in progress on this branch.
   */
  task?: string | null;
  /**
   * What it is about; empty leaves it.
   */
  description?: string;
  /**
   * Null leaves it.
   */
  tier?: ("EXEMPT" | "LIGHT" | "STANDARD" | "STRICT") | null;
  /**
   * What is to be done, too.
   */
  todos?: string[];
  /**
   * Items that are done.
   */
  done?: string[];
  /**
   * More files that will be changed.
   */
  plans?: string[];
  /**
   * A phase that is complete.
   */
  phase?: ("planning_complete" | "execution_complete" | "verification_complete") | null;
}
/**
 * Whose tests.
 */
export interface CancelTestsParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
}
/**
 * What was done.
 */
export interface CancelTestsResult {
  /**
   * Whether tests were being run.
   */
  cancelled: boolean;
}
/**
 * Which tests to run, on the texts as they are in the editor.
 */
export interface RunTestsParams {
  /**
   * Any URI in the folder, or null for the first folder.
   */
  uri?: string | null;
  /**
   * affected: what the change can affect and did not run since.
   */
  which?: "affected" | "all";
  /**
   * pytest's node identifiers: exactly these are run, whatever `which` says.
   */
  ids?: string[] | null;
  /**
   * Where progress is reported.
   */
  workDoneToken?: number | string | null;
}
/**
 * What became of the tests that were run for this request.
 */
export interface RunTestsResult {
  /**
   * affected or all.
   */
  which: string;
  /**
   * How many tests there are.
   */
  total: number;
  /**
   * How many are failing now, also of those that did not need to run.
   */
  failing: number;
  /**
   * Those that ran, in the order in which they ended.
   */
  tests: TestResult[];
  /**
   * Why these, the commonest reason first.
   */
  why: string[];
  /**
   * Why not all ran, or why nothing could be run.
   */
  note: string;
  /**
   * Whether it was ended before all had run.
   */
  cancelled: boolean;
}
/**
 * What became of one test.
 */
export interface TestResult {
  /**
   * pytest's node identifier.
   */
  id: string;
  /**
   * passed, failed, error, skipped, xfailed, xpassed, timeout or crashed.
   */
  outcome: string;
  /**
   * Of the test itself, without its fixtures.
   */
  seconds: number;
  /**
   * Why it was chosen; empty when all were run.
   */
  reasons: string[];
}
