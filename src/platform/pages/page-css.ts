import { type Brand, computeDarkBrandColor } from '../../shared/brand.ts';

/** Create the style sheet of pages in the color of the brand. Contrasts are at least 4.5:1 (WCAG 2.2, 1.4.3). */
export function createPageCss({ color }: Pick<Brand, 'color'>): string {
  return `${createAccentCss(color)}${PAGE_CSS.replaceAll('\n', '')}`;
}

/** @param color #rrggbb */
export function createAccentCss(color: string): string {
  return `:root{--act:${color}}@media screen and (prefers-color-scheme:dark){:root{--act:${computeDarkBrandColor(color)}}}`;
}

/** Of memorials, which other pages have no room for. */
export const MEMORIAL_PAGE_CSS = `.life{margin:1rem 0 1.5rem;text-align:center}
.life .avatar{width:7rem;height:7rem;margin:0 auto 1rem;font-size:3rem;color:var(--soft)}
.life h1{font-weight:400;margin:.25rem 0 .5rem}
.life,.epitaph,.story{font-family:Georgia,"Noto Serif",serif}
.epitaph{font-size:1.25rem;font-style:italic;text-align:center;margin:0 0 1.5rem}
.story{line-height:1.7}`;

/** Sent with every page, so keep it small. */
const PAGE_CSS = `:root{color-scheme:light dark;--text:#1a1a1a;--soft:#4a4a4a;--page:#fff;--line:#6b6b6b;--on-act:#fff;--alert:#9b1c1c;--alert-page:#fdecec;--warm:#ffb224}
@media screen and (prefers-color-scheme:dark){:root{--text:#f0f0f0;--soft:#c4c4c4;--page:#161616;--line:#8f8f8f;--on-act:#111;--alert:#ffb4ab;--alert-page:#3b1212}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:1.125rem/1.5 system-ui,sans-serif}
main{max-width:40rem;margin:0 auto;padding:.5rem 1rem 2rem;overflow-wrap:anywhere;text-align:left}
[dir=rtl] main{text-align:right}
img{display:block}
h1,.name{font-size:2rem;line-height:1.2;margin:0 0 1rem}
h2{font-size:1.25rem;margin:0 0 .5rem}
h1,dd,li,figcaption,.text,.name{unicode-bidi:plaintext}
p{margin:0 0 .75rem}
.kind,dt{color:var(--soft)}
.kind{margin:0}
.text{white-space:pre-line}
dt{font-size:1rem;overflow-wrap:break-word}
dd{margin:0 0 .75rem;white-space:pre-line}
@media(min-width:22.5rem){dl{display:grid;grid-template-columns:minmax(min-content,1fr) 2fr;gap:.75rem 1rem;align-items:baseline}dd{margin:0}}
ul{margin:0;padding-inline-start:1.25rem}
dd ul{padding:0;list-style:none}
header,footer{max-width:40rem;margin:0 auto;padding:.75rem 1rem;color:var(--soft)}
header{display:flex;align-items:center;gap:.5rem;font-size:1rem;font-weight:600}
header img{height:1.75rem;width:auto;max-width:8rem}
footer{padding-bottom:2rem;font-size:.9375rem}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}
footer a{display:inline-block;padding:.5rem 0}
a{color:var(--act)}
button,.act,.card,.main-picture img,.lost,.wrong,.done,fieldset,.messages li,input,textarea{border-radius:.5rem}
.act,button{display:inline-block;min-height:3rem;padding:.6rem 1rem;margin:.25rem 0;border:1px solid var(--act);background:var(--act);color:var(--on-act);font:inherit;font-weight:600;text-decoration:none}
section,form,figure,dl,.done{margin:0 0 1.5rem}
.fold:not(:target):not(.open){display:none}
.bar,.buttons{display:flex;gap:.5rem;margin:0}
.bar{position:fixed;inset:auto 0 0;padding:.5rem max(1rem,50% - 19rem) max(.5rem,env(safe-area-inset-bottom));background:var(--page);border-top:1px solid var(--line)}
.bar a{flex:1;display:flex;align-items:center;justify-content:center;margin:0;padding:.7rem .25rem;font-size:1rem;text-align:center}
main:has(.fold:target,.open) .bar{position:static;padding:0;border:0}
main:has(.fold:target,.open) :is(.bar,.buttons) a{background:var(--page);color:var(--act)}
main:has(#write:is(:target,.open)) :is(.bar,.buttons) [href$=write],main:has(#share:is(:target,.open)) .bar [href$=share]{display:none}
main:has(.bar)+footer{padding-bottom:7rem}
html{scroll-padding-bottom:6rem}
@media(max-height:24rem){.bar{position:static;padding:0;border:0}}
.wide{display:block;width:100%;text-align:center}
.wide span{display:block;font-weight:400}
.wide+a,dd a{display:inline-block;padding:.4rem 0}
dd a{margin:-.4rem 0}
.plain{background:var(--page);color:var(--act)}
.card{padding:.75rem 1rem;margin:0 0 1rem;border:3px solid var(--alert)}
.card h1{font-size:1.25rem;color:var(--alert);margin:0}
.card p{margin:.25rem 0}
.sos{margin:.5rem 0;background:var(--alert);border-color:var(--alert)}
.name{font-weight:700;margin:0}
.grave{padding:0 .35rem;border:2px solid var(--alert);border-radius:.35rem;color:var(--alert);white-space:nowrap}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem;margin:0 0 .75rem;padding:0;list-style:none}
.pictures img,.picture img{width:100%;height:auto;border-radius:.25rem}
.cover{width:calc(100% + 2rem);max-width:none;height:auto;aspect-ratio:3;object-fit:cover;margin:0 -1rem 1rem}
.logo{max-width:100%;object-fit:contain;object-position:0;margin:0 0 .5rem}
.main-picture img{max-width:100%;height:auto}
.strip{display:flex;gap:.5rem;margin:0 0 .75rem;padding:0;overflow-x:auto;list-style:none}
.strip img{width:auto;height:6rem;border-radius:.25rem}
figure.main-picture{margin:0 0 .75rem}
.head{display:flex;gap:1rem;align-items:center;margin:0 0 1rem}
.head h1,.head .text{margin:0}
.avatar{flex:none;display:grid;place-items:center;width:4rem;height:4rem;border:1px solid var(--line);border-radius:50%;color:var(--act);font-size:1.75rem;object-fit:cover}
.avatar .icon{width:2rem;height:2rem;margin:0}
code{font-size:1.25rem;white-space:pre-wrap;user-select:all;-webkit-user-select:all}
@media screen{code+button{display:block;margin-top:.5rem}}
.code{display:block;width:16rem;max-width:100%;forced-color-adjust:none}
.lost,.wrong,.done{padding:1rem;border:2px solid var(--alert)}
.wrong{color:var(--alert);background:var(--alert-page)}
.done{border-color:var(--act)}
.lost{overflow:hidden;padding-top:0;border-color:var(--warm)}
.flag{margin:0 -1rem .75rem;padding:.4rem 1rem;font-weight:700;text-transform:uppercase}
.flag,.tag{background:var(--warm);color:#1a1a1a}
h1.kind{font-size:1rem;font-weight:400}
.tag{display:inline-block;padding:.25rem .75rem;border-radius:1.25rem}
.hang{display:flex;gap:.25em}
blockquote{margin:0 0 .75rem;padding-inline-start:.75rem;border-inline-start:3px solid var(--warm)}
:is(.lost,.done,.card,.messages li)>:last-child{margin-bottom:0}
.icon{width:1.25em;height:1.25em;flex:none;vertical-align:-.25em;margin-inline-end:.25em;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
#answer,.fold{scroll-margin:1rem}
label{display:block;margin:0 0 .25rem}
fieldset{margin:0 0 .75rem;padding:.5rem .75rem;border:1px solid var(--line)}
fieldset label,.choice{display:flex;gap:.5rem;align-items:center;min-height:2.75rem;margin:0;padding:.25rem 0}
fieldset input,.choice input{width:auto;min-height:0;flex:none;margin:0}
.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.messages{list-style:none;padding:0}
.messages li{margin:0 0 1rem;padding:.5rem .75rem;border:1px solid var(--line)}
.messages .own{margin-inline-start:2rem}
details{margin:0 0 1rem}
summary{padding:.5rem 0;cursor:pointer}
input,textarea{width:100%;max-width:100%;min-height:2.75rem;padding:.5rem;border:1px solid var(--line);background:var(--page);color:var(--text);font:inherit;display:block;margin:0 0 .75rem}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
div:focus-visible{outline:0}
.paper{display:none}
@media(min-width:50rem){body:has(.columns)>*{max-width:60rem}.columns{display:grid;grid-template-columns:2fr 3fr;gap:2rem;align-items:start}}
@media print{body{font-size:11pt}.act{background:0;color:#000;border-color:#000}a{color:#000}.strip{flex-wrap:wrap}nav,form,summary,button,.bar,.buttons,.screen{display:none}.paper{display:flex;gap:1rem;align-items:center}.paper svg{flex:none;width:3cm}details::details-content{content-visibility:visible;height:auto}section,figure,.card{break-inside:avoid}}`;
