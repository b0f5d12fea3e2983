/** What pages for owners add to the style of all pages: denser, with a way to other pages. Sent with each, so keep it small. */
export const OWNER_PAGE_CSS = `[hidden]{display:none!important}
body{font-size:1rem;line-height:1.4}
main,header,footer,.nav>div{max-width:60rem}
ul+p{margin-top:.75rem}
@media print{.nav,.tabs,.actions,footer{display:none}}
h1{font-size:1.5rem;margin:.5rem 0 1rem}
h2{font-size:1.125rem}
h3{font-size:1rem}
.narrow{max-width:26rem}
.narrow form button{width:100%}
button,.act{min-height:2.75rem;padding:.65rem 1rem}
.small{font-size:.8125rem;color:var(--soft)}
.nav{border-bottom:1px solid var(--line)}
.nav>div{display:flex;flex-wrap:wrap;margin:0 auto;padding:0 .5rem}
.nav ul{display:flex;gap:.25rem;max-width:100%;margin:0;padding:0;overflow-x:auto;scrollbar-width:none;list-style:none}
.nav ul+ul{flex:1 0 auto}
.nav.staff ul{flex-wrap:wrap}
.nav a,.nav button{display:flex;align-items:center;white-space:nowrap;outline-offset:-2px;min-height:2.75rem;margin:0;padding:.5rem;border:0;border-bottom:3px solid transparent;border-radius:0;background:none;color:var(--text);font-weight:400;text-decoration:none}
.nav [aria-current]{border-color:var(--act);font-weight:600}
.nav form{margin:0}
.nav .end{margin-inline-start:auto}
.nav .end+.end{margin-inline-start:0}
@media(max-width:40rem){.nav{font-size:.8125rem;line-height:1.2}.nav ul{gap:0;width:100%;justify-content:space-between}.nav :is(a,button){padding:.25rem .4rem;font-size:inherit;white-space:normal;text-align:start}.nav .end{margin:0}}
@media(max-width:22rem){.nav{font-size:.75rem}.nav>div{padding:0 .25rem}.nav :is(a,button){padding:.25rem .125rem;hyphens:auto}}
.nav.staff{border-top:4px solid var(--text)}
kbd{margin-inline-start:.35rem;font:inherit;font-size:.8125rem;color:var(--soft)}
@media(max-width:60rem){.palette-button button{display:none}}
.palette{width:min(36rem,calc(100% - 1rem));max-height:80vh;margin:4rem auto auto;padding:.75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--page);color:var(--text)}
.palette ul{display:block;margin:0;padding:0}
.palette li{padding:.65rem .75rem;border-radius:.5rem;cursor:pointer}
.palette [aria-selected=true]{background:var(--act);color:var(--on-act)}
.palette [aria-selected=true] .small{color:inherit}
.palette p{margin:0}
.badge{min-width:1.25rem;margin-inline-start:.35rem;padding:0 .35rem;border-radius:1rem;background:var(--act);color:var(--on-act);font-size:.8125rem;text-align:center}
.hint{margin:-.5rem 0 .75rem;font-size:.875rem;color:var(--soft)}
.error{margin:-.5rem 0 .75rem;color:var(--alert)}
[aria-invalid=true]{border:2px solid var(--alert)}
.code-input{font-size:1.5rem;letter-spacing:.5rem;text-align:center;font-variant-numeric:tabular-nums}
.note{padding:.75rem 1rem;border:1px solid var(--act);border-radius:.5rem}
.note.wrong{border-color:var(--alert)}
:is(label,h3,summary,.small) code{font-size:.9375em}
.empty{margin:0 0 1rem;padding:2rem 1rem;border:1px dashed var(--line);border-radius:.5rem;text-align:center}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(18rem,100%),1fr));gap:.75rem;margin:0 0 1.5rem;padding:0;list-style:none}
.cards>li{position:relative;display:flex;gap:.75rem;align-items:center;padding:.75rem;border:1px solid var(--line);border-radius:.5rem}
.cards h3{margin:0;font-size:1rem}
.cards form,.cards p{margin:.25rem 0 0}
.cards h3 a{color:var(--text);text-decoration:none}
.cards .above{position:relative}
.cards h3 a::after{content:"";position:absolute;inset:0}
.cards .lost-item{border:2px solid var(--warm)}
.rows{grid-template-columns:minmax(0,1fr)}
.rows>li{flex-wrap:wrap}
.rows>li>div{min-width:0;flex:1 1 14rem}
.rows :is(h2,p){margin:0;font-size:1rem;font-weight:400}
.rows blockquote{margin:.25rem 0 0}
.rows form{position:relative;flex:none;margin:0}
.rows .small{font-size:.8125rem}
.rows h2 a{color:var(--text);text-decoration:none}
.rows h2 a::after{content:"";position:absolute;inset:0}
.rows .unread :is(h2,.text){font-weight:700}
.messages li{width:fit-content;max-width:min(36rem,100% - 2rem);border-radius:1rem}
.messages .own{margin-inline-start:auto;border-color:var(--act)}
.messages .internal{border-style:dashed}
.cards .act,.cards form{position:relative;margin:.25rem 0 0}
.cards>li>div{min-width:0}
.head>div{min-width:0}
.chip{display:inline-block;white-space:nowrap;padding:0 .5rem;border-radius:1rem;border:1px solid var(--line);font-size:.8125rem}
.folder::before{content:"";display:inline-block;width:.7em;height:.7em;margin-inline-end:.3em;border:1px solid var(--text);border-radius:.2em;background:#767676}
.folder.is-red::before{background:#d32f2f}
.folder.is-orange::before{background:#ef6c00}
.folder.is-yellow::before{background:#fbc02d}
.folder.is-green::before{background:#388e3c}
.folder.is-teal::before{background:#00838f}
.folder.is-blue::before{background:#1976d2}
.folder.is-purple::before{background:#7b1fa2}
.folder.is-pink::before{background:#d81b60}
.chip.is-lost{background:var(--warm);color:#1a1a1a;border-color:var(--warm)}
.tabs{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1rem;padding:0;border-bottom:1px solid var(--line);list-style:none}
.tabs a{display:block;padding:.5rem 0;color:var(--text);text-decoration:none}
.tabs [aria-current]{border-bottom:3px solid var(--act);font-weight:600}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1rem}
.actions form,.actions button,.actions .act{margin:0}
pre{white-space:pre-wrap;font-size:1rem;line-height:1.8;user-select:all}
.danger{background:var(--page);border-color:var(--alert);color:var(--alert)}
.table{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{padding:.5rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top;overflow-wrap:break-word}
.matrix :is(th[scope=row],td){padding-block:0;font-weight:400;vertical-align:middle}
table.matrix{margin:0 0 1.5rem}
.sheet{stroke:var(--line);fill:none}#used{fill:var(--act)}
.matrix th::first-letter{text-transform:uppercase}
.matrix [scope=rowgroup]{padding-top:1.5rem}
.filters>div,.filters details>div{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(11rem,100%),1fr));gap:0 .75rem;align-items:end}
.filters .search{grid-template-columns:1fr auto}
.filters button{margin:0 0 .75rem}
th{font-weight:600}
th .small{font-weight:400}
table{overflow-wrap:normal}
table bdi{overflow-wrap:anywhere}
td .act,td form,td button{margin:0}
th .head{margin:0;gap:.75rem}
.head>input{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:0;padding:0}.selection{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
th .avatar{width:3rem;height:3rem}
table{margin:0 0 .75rem}
@media(min-width:40rem){.stack td{white-space:nowrap}.stack td bdi{white-space:normal}}
@media(max-width:39.99rem){.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.stack tr{display:flex;flex-wrap:wrap;gap:.25rem .75rem;padding:.75rem 0;border-bottom:1px solid var(--line);align-items:center}.stack :is(th,td){padding:0;border:0}.stack th{flex:1 0 100%}}
progress{width:100%}
ul.error{margin:0 0 .75rem;padding-inline-start:1.25rem}
.cards dl{margin:.25rem 0 0}
.cards dd{margin:0 0 .25rem;overflow-wrap:anywhere}
select{width:100%;min-height:2.75rem;margin:0 0 .75rem;padding:.5rem;border:1px solid var(--line);border-radius:.5rem;background:var(--page);color:var(--text);font:inherit}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.75rem;margin:0 0 1.5rem;padding:0;list-style:none}
.tiles a{display:flex;flex-direction:column;align-items:center;gap:.5rem;height:100%;padding:1rem .5rem;border:1px solid var(--line);border-radius:.5rem;color:var(--text);font-weight:600;text-align:center;text-decoration:none}
.tiles .icon{width:2.5rem;height:2.5rem;margin:0;color:var(--act);stroke-width:1.5}
.group label:not(.choice){display:block;min-height:0;margin:0 0 .25rem;padding:0}
.group input:not([type=checkbox]){width:100%;min-height:2.75rem;margin:0 0 .75rem}
.list>.group{border-width:0 0 0 3px;border-radius:0;padding:0 0 0 .75rem}
legend,summary{font-weight:600}
.field{display:grid;grid-template-columns:minmax(0,1fr) 9.5rem;gap:0 1rem;align-items:start}
.field .who{padding-top:1.65rem}
@media(max-width:30rem){.field{display:block}.field .who{padding:0;text-align:end}.who select{width:auto;font-size:.875rem}}
.long>button{position:sticky;bottom:.5rem;width:100%;box-shadow:0 0 0 .5rem var(--page)}
.clash{grid-column:1/-1;margin:0 0 .75rem;padding:.5rem .75rem;border:2px solid var(--alert);border-radius:.5rem}
.split{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:2rem;align-items:start}
@media(min-width:50.01rem){.split>section{position:sticky;top:1rem}}
@media(max-width:50rem){.split{display:block}}
.number{white-space:nowrap}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:0 2rem}
.figures>*{min-width:0;max-width:30rem}
.label img{width:20rem;max-width:100%;height:auto;background:#fff}
@media print{body:has(.label) :is(header,footer,h1){display:none}.split{display:block}.label{text-align:center;width:min-content;font-size:9pt;line-height:1.2}.label img{max-width:none}.label .mm-20{width:20mm}.label .mm-30{width:30mm}.label .mm-40{width:40mm}.label .mm-60{width:60mm}.label .mm-100{width:100mm}}
input[type=color]{width:5rem;padding:.25rem}
.measures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(9rem,100%),1fr));gap:0 .75rem;align-items:end}
.photos{display:flex;flex-wrap:wrap;gap:0 1.5rem}
.photos img{display:block;border-radius:.5rem}
.order button{margin:0;min-width:2.75rem}
.order>li>div{flex-basis:7rem}
#order{margin-top:1.5rem}
.preview{width:100%;height:40rem;border:1px solid var(--line);border-radius:1rem;background:#fff}`.replaceAll(
  '\n',
  '',
);
