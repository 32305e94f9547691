// Draws media/icon.png from media/icon.svg.
import { Resvg } from "@resvg/resvg-js";
import { readFileSync, writeFileSync } from "node:fs";

const media = new URL("../media/", import.meta.url);
const svg = readFileSync(new URL("icon.svg", media), "utf8");
writeFileSync(new URL("icon.png", media), new Resvg(svg, { fitTo: { mode: "width", value: 256 } }).render().asPng());
