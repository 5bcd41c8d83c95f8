import { type Shades, shadesStyle } from "../../text/htmlPage.js";

/** The colors of results, with a contrast of at least 3 with the page, or 4.5 where they are text. */
const shades: Readonly<Record<string, Shades>> = {
  done: ["#429468", "#4a9f75"],
  failed: ["#c53030", "#f47c7c"],
  part: ["#b7791f", "#d9a441"],
  work: ["#1f6fb4", "#5db4f0"],
  plan: ["#7a6ea8", "#a99fd6"],
  none: ["#8a8a8a", "#8f8f8f"],
  card: ["#f7f7f7", "#242424"],
};

/** Returns the style of job pages. */
export function pageStyle(): string {
  return `body{${Object.entries(shades)
    .map(([name, one]) => shadesStyle(name, one))
    .join("")}font-size:14px}
main{max-width:920px;margin:0 auto}
h1{font-size:24px;letter-spacing:-.01em}
h2{font-size:15px;margin:36px 0 12px}
p{margin:0;overflow-wrap:anywhere}
.muted,.eyebrow,footer,dt,small{color:var(--muted)}
small{font-size:12px;font-weight:400}
.lead{font-size:16px}
.bar{height:6px;border-radius:3px;background:var(--grid);margin:10px 0;overflow:hidden}
body.vscode-high-contrast .bar{height:8px;background:none;border:1px solid}
.bar span{display:block;height:100%;background:var(--done)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:1px;margin:20px 0 0;background:var(--grid);border:1px solid var(--grid);border-radius:8px;overflow:hidden}
.tiles div{background:var(--page);padding:10px 14px}
dt{font-size:12px}
dd{margin:0;font-size:20px;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:-.01em;white-space:nowrap}
.cards{list-style:none;margin:0;padding:0;display:grid;gap:8px}
.cards li{background:var(--card);border-left:3px solid var(--failed);border-radius:0 6px 6px 0;padding:10px 14px}
.cards li.asks{border-color:var(--part)}
.cards p{white-space:pre-line}
.cards p+p{margin-top:4px}
details .cards,.cards+details{margin-top:8px}
.tag{float:right;margin-left:12px;font-size:12px;color:var(--muted)}
code{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:inherit;background:var(--card);padding:1px 5px;border-radius:4px;user-select:all;overflow-wrap:anywhere}
.cards code{background:none;padding:0}
a{color:inherit}
.time{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 12px;font-size:12px;color:var(--muted)}
.names>div{display:flex;align-items:center;white-space:nowrap;font-variant-numeric:tabular-nums}
.names .wide{white-space:pre}
.names .sum{flex-direction:column;align-items:flex-start;justify-content:flex-end}
.names b{color:var(--text)}
.time svg{display:block;width:100%}
.time path{vector-effect:non-scaling-stroke;fill:none}
.grid,.base{stroke:var(--grid);stroke-width:1}
.time .area{fill:var(--work);opacity:.14}
.line{stroke:var(--work);stroke-width:1.5}
rect.cut{fill:var(--grid);opacity:.5}
.draw{position:relative}
.draw svg{position:absolute;inset:0;height:100%}
.lane{position:relative}
.lane>*{position:absolute;box-sizing:border-box;min-width:2px;top:16%;height:68%;background:var(--none);border-right:1px solid var(--page);background-clip:padding-box;forced-color-adjust:none}
.lane>.done{background-color:var(--done)}
.lane>.failed{background-color:var(--failed)}
.lane>.work{background-color:var(--work);border:0}
.lane>.part{background-color:var(--part);top:50%;height:34%}
.lane>.plan,.lane>.none{top:38%;height:24%}
.lane>.plan{background-color:var(--plan)}
.lane>.cut{background-color:var(--grid)}
.lane>a:hover{opacity:.75}
.legend .lane{width:14px;height:16px}
.legend .lane>*{width:100%;border:0}
.ticks{position:relative;height:20px;text-align:center;white-space:nowrap;font-variant-numeric:tabular-nums}
.ticks span{position:absolute;transform:translateX(-50%);margin-top:3px}
.ticks.days{height:38px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:8px 0 12px;padding:0;font-size:12px;color:var(--muted)}
.legend li{display:flex;align-items:center;gap:6px}
.scroll{max-height:60vh;overflow:auto;margin:8px 0}
.scroll th{position:sticky;top:0;background:var(--page)}
.turns :is(th,td):nth-child(2),.turns :is(th,td):nth-child(3),.turns :is(th,td):nth-child(n+6){text-align:right}
.tasks{width:100%}
th{font-weight:500;color:var(--muted);font-size:12px;white-space:nowrap}
td{white-space:nowrap}
.tasks td:first-child,.turns td:nth-child(4){white-space:normal;width:100%}
th:last-child,td:last-child{padding-right:0}
.phase th{padding-top:18px;color:var(--text);font-weight:600;font-size:13px}
.tasks summary{color:inherit;width:auto;list-style:none}
.tasks summary::after{content:"▸";content:"▸" / "";color:var(--muted);margin-left:6px;font-size:11px}
.tasks [open]>summary::after{content:"▾";content:"▾" / ""}
.tasks summary::-webkit-details-marker{display:none}
.tasks summary:hover{text-decoration:underline}
.tasks details p{margin:4px 0 0;color:var(--muted);font-size:13px}
.why{margin-top:2px;color:var(--muted);font-size:13px}
.dot{display:inline-block;width:8px;height:8px;border-radius:50%;margin-right:6px;background:var(--none)}
.done .dot{background:var(--done)}.failed .dot{background:var(--failed)}.setAside .dot{background:var(--part)}.running .dot{background:var(--work)}
.open .dot,.cancelled .dot{background:none;box-shadow:inset 0 0 0 1.5px var(--none)}
.interrupted .dot,.unreadable .dot{background:var(--part)}
.cancelled .title,.cancelled summary{text-decoration:line-through;color:var(--muted)}
tr:target td{background:var(--card)}
footer{margin:40px 0 0;font-size:12px;overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--work);outline-offset:2px}
@media (max-width:640px){
body{padding:16px}
.w,.wide{display:none}
.tiles{grid-template-columns:1fr 1fr}
.tiles>:last-child:nth-child(odd){grid-column:span 2}
th,td{padding-right:10px}
}
@media (forced-colors:active){
.bar{border:1px solid CanvasText}
.bar span,.dot{forced-color-adjust:none}
.lane>*{background-color:GrayText}
.lane>.done{background-color:CanvasText}
.lane>.failed{background-color:Mark}
.lane>.part{background-color:GrayText}
.lane>.work{background-color:Highlight}
.line{stroke:CanvasText}
.grid,.base{stroke:GrayText}
}
@media print{
.scroll{max-height:none}
section{break-inside:auto}
tr,li{break-inside:avoid}
.tasks details::details-content{content-visibility:visible;display:block;height:auto}
*{print-color-adjust:exact}
}`;
}
