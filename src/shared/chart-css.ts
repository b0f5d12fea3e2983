/** Style of a line chart with its legend, for the style sheet of a page that has `--text`, `--soft` and `--line`. */
export const CHART_CSS = `:root{--grid:#dde2e8;--all:#7b8694;--people:#0b4fb3;--unique:#9a3412}
@media screen and (prefers-color-scheme:dark){:root{--grid:#3a3f45;--all:#8f98a5;--people:#9cc2ff;--unique:#fdba74}}
@media print{:root{--grid:#ccc}}
.chart svg{display:block;width:100%;height:auto;direction:ltr}
.chart text{font:12px system-ui,sans-serif}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0 0 .5rem;padding:0}
.key li::before{content:"";display:inline-block;width:1.5rem;margin-inline-end:.5rem;vertical-align:middle;border-top:3px solid var(--all)}
.key .people::before{border-color:var(--people)}
.key .unique::before{border-top:2px dashed var(--unique)}
:is(th,td).number{text-align:end;font-variant-numeric:tabular-nums}`.replaceAll('\n', '');
