/** The documents that the server is told of. */

export const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
];
