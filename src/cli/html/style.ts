// How a page looks: dark and light by the reader's choice, readable from 400 pixels on.

export const STYLE = `
:root{color-scheme:light dark;
--page:light-dark(#f6f7f9,#0c0f14);--card:light-dark(#fff,#141920);--raised:light-dark(#f3f5f8,#1a2029);
--line:light-dark(#dfe3ea,#272e39);--text:light-dark(#1d232c,#d9dfe8);--soft:light-dark(#667080,#8d97a6);
--accent:light-dark(#2f5fd0,#7ea6ff);--good:light-dark(#1a7f45,#56c98a);--bad:light-dark(#c0343b,#ff7b80);
--warn:light-dark(#9a6a00,#e3b341);--add:light-dark(#e3f6e9,#12301f);--del:light-dark(#fdeaea,#3a181b);
--term:light-dark(#fbfbfc,#090c10);--mono:ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
:root[data-theme=dark]{color-scheme:dark}:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}
html{scroll-padding-top:5rem}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
button{font:inherit;color:inherit;background:none;border:0;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
code,pre,kbd,.line,.num{font-family:var(--mono);font-size:.86em}
.bar{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;padding:.7rem 1.4rem;background:color-mix(in srgb,var(--page) 88%,transparent);backdrop-filter:blur(10px);border-bottom:1px solid var(--line)}
.name{flex:1;min-width:0}.name h1{margin:0;font-size:1.02rem;letter-spacing:-.01em}.name p{margin:0;color:var(--soft);font-size:.84rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.switch{display:flex;padding:3px;gap:2px;border:1px solid var(--line);border-radius:10px;background:var(--raised)}
.switch button{padding:.2rem .75rem;border-radius:7px;font-size:.84rem;color:var(--soft);white-space:nowrap}
.switch button[aria-pressed=true]{background:var(--card);color:var(--text);box-shadow:0 1px 3px #0003}
#theme{width:2.1rem;height:2.1rem;border:1px solid var(--line);border-radius:10px;background:var(--raised);flex:none}
.page{display:grid;grid-template-columns:15.5rem minmax(0,1fr);max-width:100rem;margin:0 auto}
nav{position:sticky;top:3.9rem;height:calc(100vh - 3.9rem);overflow:auto;padding:1.2rem .8rem 2rem 1.4rem;font-size:.88rem;scrollbar-width:thin}
nav .group{margin-bottom:1rem}nav a{display:block;padding:.16rem .6rem;border-radius:7px;color:var(--soft);text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav a:hover{color:var(--text);background:var(--raised)}nav a[aria-current]{color:var(--accent);background:color-mix(in srgb,var(--accent) 12%,transparent);font-weight:550}
.label{margin:0 0 .3rem;padding:0 .6rem;font-size:.7rem;font-weight:650;letter-spacing:.08em;text-transform:uppercase;color:var(--soft)}
.keys{margin:1.2rem .6rem;color:var(--soft);font-size:.78rem;line-height:2}kbd{padding:.05rem .4rem;border:1px solid var(--line);border-bottom-width:2px;border-radius:5px;background:var(--card)}
main{padding:1.6rem 1.4rem 60vh;min-width:0}
.entry{margin:0 auto 1.5rem;max-width:56rem;outline:0}
.entry>h2{margin:0 0 .55rem;font-size:.86rem;font-weight:600;color:var(--soft)}.entry>h2 b{color:var(--text);font-weight:650}
.entry.chosen .card{border-color:color-mix(in srgb,var(--accent) 55%,var(--line));box-shadow:0 0 0 3px color-mix(in srgb,var(--accent) 14%,transparent)}
.view{display:none}.view>.label{display:none}
:root[data-view=all] .entry{max-width:none}:root[data-view=all] .views{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1rem}:root[data-view=all] .view{min-width:0}:root[data-view=all] .view>.label{display:block}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden;box-shadow:0 1px 2px #0000000d;transition:border-color .15s,box-shadow .15s}
.card>header{display:flex;gap:.65rem;align-items:flex-start;padding:.65rem .9rem}
.icon{flex:none;width:1.5rem;height:1.5rem;display:grid;place-items:center;border-radius:7px;background:var(--raised);color:var(--accent);font-size:.86rem;line-height:1}
.title{flex:1;min-width:0;margin:0;font-weight:550;overflow-wrap:anywhere}.title p{margin:0}pre.title{font-size:.86rem;line-height:1.55;white-space:pre-wrap;padding-top:.05rem}
.status{flex:none;margin-top:.1rem;padding:0 .55rem;border-radius:99px;font-size:.74rem;font-weight:600;line-height:1.35rem;background:var(--raised);color:var(--soft)}
.status.completed{color:var(--good);background:color-mix(in srgb,var(--good) 13%,transparent)}.status.failed{color:var(--bad);background:color-mix(in srgb,var(--bad) 13%,transparent)}.status.in_progress{color:var(--warn);background:color-mix(in srgb,var(--warn) 15%,transparent)}
.card.failed .icon{color:var(--bad)}
.body:empty{display:none}.body{border-top:1px solid var(--line)}
.prose{padding:.65rem .9rem}.prose+.prose{padding-top:0}
.prose p,.prose ul,.prose ol,.prose pre,.prose blockquote,.prose .scroll{margin:.55rem 0}.prose p{overflow-wrap:anywhere}.prose ul,.prose ol{padding-left:1.3rem}.prose .h{font-weight:650}.prose blockquote{padding-left:.8rem;border-left:3px solid var(--line);color:var(--soft)}
.prose>:first-child,.prose>.scroll:first-child{margin-top:0}.prose>:last-child,.prose>.scroll:last-child{margin-bottom:0}
.prose code,.title code,.places code,figcaption code{padding:.08em .35em;border-radius:5px;background:color-mix(in srgb,var(--text) 8%,transparent);overflow-wrap:anywhere}a{color:var(--accent)}hr{border:0;border-top:1px solid var(--line)}
pre{margin:0;overflow:auto;line-height:1.5;tab-size:4}pre.code,.scroll.code{padding:.6rem .8rem;border:1px solid var(--line);border-radius:9px;background:var(--raised)}pre.console{background:var(--term)}
.scroll{overflow:auto;max-height:32rem}table{border-collapse:collapse;width:100%}.line{white-space:pre;tab-size:4;padding:0 .9rem 0 .3rem;line-height:1.5}.num{user-select:none;text-align:right;color:var(--soft);opacity:.7;padding:0 .6rem 0 .9rem;width:1%;vertical-align:top;line-height:1.5}.scroll.code .num{padding-left:.1rem}.grid th,.grid td{padding:.2rem .6rem;border:1px solid var(--line);text-align:left;vertical-align:top}
.diff{margin:0}.diff+.diff{border-top:1px solid var(--line)}figcaption{display:flex;gap:.6rem;align-items:center;flex-wrap:wrap;padding:.45rem .9rem;border-bottom:1px solid var(--line);font-size:.86rem}.plus{color:var(--good);margin-left:auto}.minus{color:var(--bad)}.plus,.minus{font:600 .8rem var(--mono)}.tag{padding:0 .45rem;border-radius:99px;font-size:.72rem;color:var(--good);border:1px solid color-mix(in srgb,var(--good) 40%,transparent)}
.diff .scroll{padding:.35rem 0}.sign{width:1%;padding:0;font-family:var(--mono);font-size:.86em;color:var(--soft);user-select:none;line-height:1.5}tr.add{background:var(--add)}tr.del{background:var(--del)}tr.add .sign{color:var(--good)}tr.del .sign{color:var(--bad)}tr.gap td{color:var(--soft);text-align:center}
.term{background:var(--term)}.term pre{padding:.75rem .9rem;max-height:32rem;min-height:2.4rem}.exit{margin:0;padding:.3rem .9rem .4rem;font:600 .76rem var(--mono);color:var(--soft);border-top:1px dashed var(--line)}.exit.good{color:var(--good)}.exit.bad{color:var(--bad)}.exit.run{color:var(--warn)}
.places{display:flex;flex-wrap:wrap;gap:.3rem;margin:0;padding:.55rem .9rem;list-style:none;font-size:.86rem}.body>*+.places{border-top:1px dashed var(--line)}
.chip{display:inline-block;margin:.45rem .9rem;padding:.15rem .6rem;border:1px solid var(--line);border-radius:8px;font-size:.86rem;overflow-wrap:anywhere}.chip small{color:var(--soft)}img{display:block;max-width:100%;margin:.65rem .9rem;border-radius:8px;image-rendering:auto}
details.raw{border-top:1px solid var(--line)}summary{cursor:pointer;padding:.3rem .9rem;color:var(--soft);font-size:.78rem}.raw .label{margin:.3rem .3rem .3rem}.raw pre{margin:0 .9rem .7rem}
.said,.thought,.plan,.notice,.divider{max-width:56rem;margin:0 auto 1.2rem}.who{margin:0 0 .2rem;font-size:.74rem;font-weight:650;color:var(--soft)}.said .prose{padding:0}.said.user{padding:.7rem .95rem;border-radius:12px;background:color-mix(in srgb,var(--accent) 10%,var(--card))}
.thought{border-left:3px solid var(--line);color:var(--soft)}.plan{padding:.7rem .4rem;border:1px solid var(--line);border-radius:12px;background:var(--card)}.plan ul{margin:0;padding-left:1.8rem;list-style:"○  "}.plan .completed{list-style:"●  ";color:var(--soft);text-decoration:line-through}.plan .in_progress{list-style:"◐  ";font-weight:600}
.notice{padding:.45rem .9rem;border-radius:10px;background:color-mix(in srgb,var(--warn) 12%,transparent);font-size:.88rem}.notice.error{background:color-mix(in srgb,var(--bad) 12%,transparent)}.divider{text-align:center;color:var(--soft);font-size:.8rem}
@media(max-width:52rem){.bar{flex-wrap:wrap;padding:.6rem .8rem;gap:.5rem}.name p{white-space:normal}.switch{order:3;width:100%;overflow:auto}.switch button{flex:1}
.page{display:block}nav{position:sticky;top:0;z-index:1;height:auto;display:flex;gap:.2rem;padding:.4rem .8rem;overflow-x:auto;background:var(--page);border-bottom:1px solid var(--line)}nav .group{display:flex;gap:.2rem;margin:0;align-items:center;flex:none}.bar{position:static}.keys{display:none}nav .label{margin:0;padding:0 .3rem}nav a{max-width:12rem}
main{padding:1rem .8rem 50vh}html{scroll-padding-top:3.2rem}.card>header{padding:.6rem .7rem}.num{padding:0 .4rem}}
@media(prefers-reduced-motion:no-preference){html{scroll-behavior:auto}}
`
