"""The report page's style sheet: light and dark, no request to anywhere."""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--ground:#fff;--panel:#f6f7f9;--line:#dde1e6;--text:#1c2127;--soft:#5d6873;
--blue:#2b6cb0;--orange:#c05f12;--good:#1f7a4d;--bad:#b3261e;--warn:#8a5a00}
@media(prefers-color-scheme:dark){:root{--ground:#14171a;--panel:#1d2125;--line:#343b42;--text:#e4e8ec;
--soft:#9aa5b0;--blue:#6cabe8;--orange:#ee9a57;--good:#63c596;--bad:#f28b82;--warn:#e3b667}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1120px;padding:32px 20px 80px;background:var(--ground);color:var(--text);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}h2{font-size:19px;margin:44px 0 6px}
h3{font-size:15px;margin:22px 0 8px}p{margin:0 0 12px;max-width:80ch}.soft,.tick,.count{color:var(--soft)}
a{color:inherit}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:12px;margin:22px 0}
.card{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:12px 14px}
.card b{display:block;font-size:27px;line-height:1.2;font-variant-numeric:tabular-nums}
.card svg{display:block;width:100%;margin-top:6px}.card .soft{font-size:13px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:middle}
th{font-weight:600;font-size:13px;color:var(--soft)}td.n{white-space:nowrap}
.plot{display:block;width:100%;max-width:1000px;height:auto;margin:10px 0;font:12.5px system-ui,sans-serif}
.plot text{fill:var(--text)}.plot .tick,.plot .count{fill:var(--soft);font-size:11px}
.plot a text{text-decoration:underline;text-decoration-color:var(--line)}
.grid{stroke:var(--line);fill:none}.band{fill:var(--panel)}
.level{stroke:var(--text);stroke-dasharray:5 4;fill:none}
.whisker{stroke:var(--text);stroke-width:1.3;fill:none;opacity:.75}
.precision rect,.precision circle{fill:var(--blue)}.recall rect,.recall circle{fill:var(--orange)}
.precision rect,.recall rect{opacity:.85}
circle+.whisker,.precision .whisker,.recall .whisker{stroke:var(--text)}
.track{fill:var(--line)}.fill{fill:var(--blue)}
.key{display:inline-block;width:11px;height:11px;border-radius:3px;margin:0 5px 0 14px}
.key.precision{background:var(--blue);margin-left:0}.key.recall{background:var(--orange)}
.filter{position:sticky;top:0;background:var(--ground);padding:10px 0;border-bottom:1px solid var(--line);
display:flex;gap:20px;flex-wrap:wrap;z-index:1}
details.paper{border:1px solid var(--line);border-radius:8px;margin:10px 0}
details.paper>summary{cursor:pointer;padding:10px 14px;background:var(--panel);border-radius:8px}
details.paper[open]>summary{border-radius:8px 8px 0 0}
details.paper>div{padding:2px 14px 16px}
summary .soft{font-size:13px;margin-left:8px}
.case{border-top:1px solid var(--line);padding:10px 0}
.case>.head{font-size:13px;color:var(--soft);margin-bottom:4px}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:22px}
@media(max-width:720px){.sides{grid-template-columns:1fr}}
.side{min-width:0;overflow-wrap:anywhere}.side.other{opacity:.72}
.side p{margin:2px 0 6px}
.who{font-size:12px;color:var(--soft)}
blockquote{margin:4px 0;padding:2px 0 2px 10px;border-left:3px solid var(--line);
color:var(--soft);font-size:13.5px}
.tag{display:inline-block;border:1px solid currentColor;border-radius:10px;padding:0 8px;font-size:12px;
margin-right:6px;color:var(--soft)}
.tag.good{color:var(--good)}.tag.bad{color:var(--bad)}.tag.core{color:var(--warn)}
.fields{margin-top:6px;font-size:13px}.fields>span{display:inline-block;margin-right:16px}
.miss .head b{color:var(--orange)}.alarm .head b{color:var(--bad)}.pair .head b{color:var(--good)}
body:has(#pairs:not(:checked)) .pair,body:has(#misses:not(:checked)) .miss,
body:has(#alarms:not(:checked)) .alarm{display:none}
@media print{.filter{display:none}}
"""
