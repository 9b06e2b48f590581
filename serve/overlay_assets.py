"""Style and script of the page that shows what the parser saw, and the policy that lets only these run."""

from __future__ import annotations

import base64
import hashlib

COLOURS = {
    "title": "#7b1fa2",
    "abstract": "#0277bd",
    "heading": "#c62828",
    "paragraph": "#546e7a",
    "list_item": "#00838f",
    "theorem": "#6a1b9a",
    "proof": "#9c6bb8",
    "equation": "#ad1457",
    "table": "#2e7d32",
    "figure": "#ef6c00",
    "algorithm": "#5d4037",
    "caption": "#9e7700",
    "footnote": "#827717",
    "reference": "#3949ab",
    "hidden": "#ff0000",
    "cell": "#1b5e20",
    "link": "#0055cc",
    "number": "#37474f",
}
"""Colour of each kind of passage, and of what can be shown besides, on the white of a page."""

_BASE = """
:root { color-scheme: light dark;
  --bg: #f3f4f6; --fg: #16191d; --soft: #59616b; --card: #fff; --line: #cfd4da }
@media (prefers-color-scheme: dark) {
  :root { --bg: #16181b; --fg: #e6e8eb; --soft: #a2abb5; --card: #212429; --line: #3b4047 }
  .page img { filter: brightness(.86) }
  nav li { border-color: color-mix(in srgb, var(--c) 60%, white) !important }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--fg); font: 14px/1.45 system-ui, sans-serif }
.skip { position: absolute; left: -999px }
.skip:focus { left: 8px; top: 8px; background: var(--card); padding: 6px }
header { padding: 10px 16px; border-bottom: 1px solid var(--line); background: var(--card) }
h1 { font-size: 18px; margin: 0 }
h2 { font-size: 14px; margin: 0 0 6px }
.soft { color: var(--soft); margin: 2px 0; overflow-wrap: anywhere }
fieldset { border: 0; margin: 6px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 14px }
legend { float: left; margin-right: 14px; font-weight: 600 }
label { display: inline-flex; gap: 5px; align-items: center; white-space: nowrap }
.dot { width: 12px; height: 12px; border: 2px solid var(--c); border-radius: 3px;
  background: color-mix(in srgb, var(--c) 25%, transparent) }
nav { padding: 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--card) }
nav ol { list-style: none; margin: 0; padding: 0 }
nav li { border-left: 4px solid var(--c); padding: 3px 8px; margin: 3px 0; scroll-margin: 30vh }
nav a, nav .where { color: inherit; font-weight: 600; font-size: 12px }
nav p { margin: 0; overflow: hidden; overflow-wrap: anywhere; white-space: pre-line;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
nav li:target p, nav li:focus-within p { -webkit-line-clamp: unset }
nav li.head p { font-weight: 700 }
nav li.k-hidden p { text-decoration: line-through }
nav li:target, nav li.lit { background: color-mix(in srgb, var(--c) 22%, transparent) }
.page { max-width: 960px; margin: 0 auto 18px }
.page h2 { color: var(--soft); font-weight: 400 }
.sheet { position: relative; background: #fff; border: 1px solid var(--line) }
.sheet img, .sheet svg { display: block; width: 100%; height: auto }
.sheet img + svg { position: absolute; inset: 0; height: 100% }
.empty { fill: #fff }
.box { scroll-margin: 30vh }
.box rect { fill: var(--c); fill-opacity: .13; stroke: var(--c); stroke-width: .8 }
.box text, .shape text { display: none; font: 600 9px system-ui, sans-serif; fill: var(--c);
  stroke: #fff; stroke-width: 3; paint-order: stroke; pointer-events: none }
.box .number { display: block; font-size: 6px; stroke-width: 1.5; fill: #37474f }
.box:hover .name, .box:focus .name, .box:target .name, .box.lit .name, .shape:hover text { display: block }
.box:hover rect, .box.lit rect, .box:target rect { fill-opacity: .3; stroke-width: 1.6 }
.box:focus { outline: none }
.box:focus rect { stroke-width: 2.4; fill-opacity: .3 }
.k-hidden rect { stroke-dasharray: 3 2; stroke-width: 1.4 }
.shape rect { fill: var(--c); fill-opacity: .04; stroke: var(--c); stroke-width: .4 }
.shape:hover rect { fill-opacity: .35 }
.shape.head rect { fill-opacity: .22 }
.shape.k-link rect { stroke-dasharray: 1 1 }
main { padding: 12px 16px }
@media screen and (min-width: 800px) and (min-height: 500px) {
  body { height: 100vh; display: flex; flex-direction: column }
  header { max-height: 40vh; overflow-y: auto }
  main { flex: 1; min-height: 0; display: grid; gap: 16px; grid-template-rows: minmax(0, 1fr);
    grid-template-columns: minmax(260px, 360px) minmax(0, 1fr) }
  nav, #pages { overflow-y: auto }
}
"""

STYLE = _BASE + "".join(
    f".k-{kind} {{ --c: {colour} }}\n"
    f"body:has(#show-{kind}:not(:checked)) .pick.k-{kind} {{ display: none }}\n"
    for kind, colour in COLOURS.items()
)

SCRIPT = """
"use strict";
const twin = el => document.getElementById(el.id.replace(/^[bp]-/, m => m === "b-" ? "p-" : "b-"));
const light = on => event => {
  const el = event.target.closest("[id^='b-'], [id^='p-']");
  if (!el) return;
  for (const one of [el, twin(el)]) if (one) one.classList.toggle("lit", on);
};
for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]])
  document.addEventListener(name, light(on));
document.addEventListener("keydown", event => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const all = [...document.querySelectorAll("a.box")].filter(a => a.getClientRects().length);
  const at = all.indexOf(document.activeElement.closest("a.box"));
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)];
  if (next) { next.focus({ preventScroll: true }); next.scrollIntoView({ block: "center" }); }
});
"""


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


POLICY = (
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
    f"style-src {_digest(STYLE)}; script-src {_digest(SCRIPT)}"
)
"""Content security policy: images of the page itself, this style and this script, and nothing else."""
