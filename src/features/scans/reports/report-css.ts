import { computeDarkBrandColor } from '../../../shared/brand.ts';
import { CHART_CSS } from '../../../shared/chart-css.ts';
import { MAP_CSS } from '../../../shared/maps/map-css.ts';
import type { ReportBrand } from './report-brand.ts';

/** Text has a contrast of at least 4.5:1. */
export const createScanReportCss = (brand: Pick<ReportBrand, 'color'>) => `${MAP_CSS}
${CHART_CSS}
:root{color-scheme:light dark;--text:#1a1a1a;--soft:#4a4a4a;--page:#fff;--card:#f4f6f9;--line:#7b8694;--on-1:#000;--on-2:#000;--on-4:#fff;--brand:${brand.color}}
@media screen and (prefers-color-scheme:dark){:root{--text:#f0f0f0;--soft:#c4c4c4;--page:#161616;--card:#232629;--line:#8f98a5;--on-1:#fff;--on-2:#fff;--on-4:#000;--brand:${computeDarkBrandColor(brand.color)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.page{max-width:56rem;margin:0 auto;padding:0 1rem 3rem}
.brand{display:flex;align-items:center;gap:.5rem;margin:0 0 1.5rem;padding:.75rem 0;border-bottom:3px solid var(--brand);font-weight:600}
.brand img{height:1.75rem;max-width:12rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .25rem}
h1,td,th{unicode-bidi:plaintext}
h2{font-size:1.25rem;margin:0 0 .75rem}
p{margin:0 0 .25rem}
header{margin:0 0 1.5rem}
header p,footer,.soft{color:var(--soft)}
section{margin:0 0 2rem}
.numbers{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem;margin:0}
.numbers div{background:var(--card);border-radius:.75rem;padding:1rem}
dt{font-weight:600}
dd{margin:0}
.value{font-size:2.5rem;line-height:1.2;font-weight:700;font-variant-numeric:tabular-nums}
.change,.meaning{font-size:.875rem;color:var(--soft)}
figure{margin:0}
svg{display:block;width:100%;height:auto;direction:ltr}
svg text{font:12px system-ui,sans-serif}
.narrow{display:none}
.columns{display:grid;grid-template-columns:1fr 1fr;gap:2rem}
.columns>*,.columns section>*{min-width:0}
details{margin:.5rem 0 0}
summary{cursor:pointer;color:var(--soft)}
.bar-key li::before{width:1rem;height:.75rem;border:0;background:var(--all)}
.bar-key .people::before{background:var(--people)}
.map svg{margin:0 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:start;padding-block:.375rem;padding-inline:0 .75rem;vertical-align:top;border-bottom:1px solid var(--grid)}
table{overflow-wrap:break-word}
.bars th[scope=row]{width:100%;font-weight:400;overflow-wrap:anywhere}
.bars thead th{vertical-align:bottom;font-size:.8125rem}
.bars .number{white-space:nowrap}
.bars thead .number{white-space:normal;overflow-wrap:normal;max-width:6rem}
.bar{height:.375rem;margin-top:.25rem}
[dir=rtl] .bar{transform:scaleX(-1)}
.bar .people{fill:var(--people)}
.bar .others{fill:var(--all)}
.hours{table-layout:fixed;border-collapse:separate;border-spacing:2px;font-size:.75rem;font-variant-numeric:tabular-nums}
.hours th,.hours td{border:0;padding:0;text-align:center;vertical-align:middle;font-weight:400;white-space:nowrap}
.hours thead th{text-align:start;color:var(--soft)}
.hours thead td{width:3.5rem}
.hours tbody th{text-align:start;overflow:hidden}
.hours td{height:1.75rem;border-radius:3px;overflow:hidden}
.hours tbody td,.shades li::before{background:var(--card)}
.hours tbody td,.bar-key li::before,.shades li::before{forced-color-adjust:none;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.shade0{color:transparent}
.shades .shade1::before,.hours .shade1{background:var(--map-1)}
.shades .shade2::before,.hours .shade2{background:var(--map-2)}
.shades .shade3::before,.hours .shade3{background:var(--map-3)}
.shades .shade4::before,.hours .shade4{background:var(--map-4)}
.hours .shade1{color:var(--on-1)}.hours .shade2{color:var(--on-2)}.hours .shade3{color:#000}.hours .shade4{color:var(--on-4)}
.shades{margin:.5rem 0 0}
.shades li::before{width:1rem;height:1rem;border:0}
.last{table-layout:fixed;overflow-wrap:anywhere}
.last .when{width:10.5rem}
.last .who{width:9.5rem}
time{white-space:nowrap}
footer{font-size:.875rem}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
@media(max-width:40rem){.numbers,.columns{grid-template-columns:1fr}.hours{border-spacing:1px}.hours thead td{width:3.25rem}.hours tbody th{font-size:.6875rem}.hours td{height:1.25rem;font-size:0}.numbers div{padding:.75rem 1rem}.value{font-size:2rem}.wide{display:none}.narrow{display:block}h1{font-size:1.625rem}
.last,.last tbody,.last td{display:block}.last thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.last tr{display:block;border-bottom:1px solid var(--grid);padding:.625rem 0}.last td{border:0;padding:0}.last .when,.last .who{width:auto}.last .when{font-weight:600}}
@page{margin:14mm}
@media print{:root{--text:#000;--soft:#333;--card:#fff;--line:#666}
body{font-size:10pt;line-height:1.35}.page{max-width:none;padding:0}h1{font-size:18pt}h2{font-size:12pt;margin:0 0 2mm}section,header{margin-bottom:5mm}
.numbers{grid-template-columns:repeat(3,1fr);gap:4mm}.numbers div{border:1px solid #999;padding:2mm 3mm}.value{font-size:18pt}.change,.meaning,footer{font-size:7.5pt}
.wide{display:block}.narrow,details{display:none}.columns{grid-template-columns:1fr 1fr;gap:5mm}.hours td{height:5mm;padding:0;font-size:6.5pt}.hours th{padding:0}.brand{margin-bottom:4mm;padding:0 0 2mm}
svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}table{font-size:8.5pt}th,td{padding:.6mm 2mm .6mm 0}.last .when{width:32mm}.last .who{width:28mm}
thead{display:table-header-group}tr,figure,.numbers,.hours,.map{break-inside:avoid}h2{break-after:avoid}}`;
