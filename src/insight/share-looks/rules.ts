// How the page of a share looks, and the few lines that make it a presentation: both stand in the page under their hash.
import { colorAt, lookOf } from '../charts/rules.ts'

/** Charts are drawn for daylight; at night each of their colours is another one. */
function nightColors(): string {
  const [day, night] = [lookOf(false), lookOf(true)]
  const palette = Array.from({ length: 36 }, (_, index) => [colorAt(day.palette, index), colorAt(night.palette, index)] as const)
  const plain = (['text', 'muted', 'grid', 'axis', 'empty'] as const).map((name) => [day[name], night[name]] as const)
  const pairs = new Map([...palette, ...plain])
  return [...pairs].map(([from, to]) => `svg [fill="${from}"]{fill:${to}}svg [stroke="${from}"]{stroke:${to}}`).join('')
}

export const pageStyle = `:root{color-scheme:light dark;--ground:#eef1f4;--sheet:#fff;--ink:#1b2430;--soft:#515c69;--line:#d9dfe6;--band:#f5f7f9;
--strong:#1a56a8;--on-strong:#fff}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
p,h1,h2,dl,dd,figure{margin:0}a{color:var(--strong)}h1,h2{line-height:1.2;overflow-wrap:anywhere}h1{font-size:1.7rem}h2{font-size:1.35rem}
.top,main{max-width:64rem;margin:0 auto;padding:1.5rem 1.25rem}
.top{display:flex;justify-content:space-between;align-items:end;gap:1.5rem;flex-wrap:wrap;color:var(--soft)}.top h1{color:var(--ink)}
.owner{font-weight:600}.logo{display:block;max-width:10rem;max-height:4rem;margin-bottom:.5rem}
.files a{display:inline-block;margin-left:.5rem;padding:.6rem 0}
.slide,.tile{display:flex;flex-direction:column;gap:1.25rem;margin-bottom:1.5rem;padding:2rem;border-radius:.75rem;background:var(--sheet);
box-shadow:0 1px 3px #0002;min-width:0}.slide:focus{outline:none}
.slide:focus-visible{outline:3px solid var(--strong);outline-offset:2px}.slide.of-title{padding:4rem 2rem;text-align:center}
.slide.of-title h2{font-size:2.2rem}
.words{max-width:46rem;overflow-wrap:anywhere}.slide.of-title .words{margin:0 auto}.words p{white-space:pre-line}.words p+p{margin-top:.75rem}
.missing,.empty{color:var(--soft);font-style:italic}
.metrics{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(11rem,100%),1fr));gap:1rem}
.metrics div{padding:1rem;border-radius:.6rem;background:var(--band);min-width:0}dt{color:var(--soft);overflow-wrap:anywhere}
dd strong{display:block;font-size:1.6em;line-height:1.3;overflow-wrap:anywhere}dd span{display:block;font-size:.9em;color:var(--soft)}
svg{display:block;width:100%;height:auto}figure img{display:block;max-width:100%;max-height:70vh;height:auto;margin:0 auto}.narrow{display:none}
summary{padding:.5rem 0;color:var(--strong);cursor:pointer}
.scroll{overflow-x:auto}table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th[scope=row]{text-align:left;font-weight:400;white-space:normal;min-width:9rem;overflow-wrap:anywhere}thead th{color:var(--soft);font-size:.9rem}
.section th,.subtotal th,.total th,.subtotal td,.total td{font-weight:600!important}.total{background:var(--band)}
${[1, 2, 3, 4, 5, 6].map((depth) => `.d${depth} th[scope=row]{padding-left:${0.6 + depth}rem}`).join('')}
.board,.top.of-board{max-width:84rem}.board{display:grid;grid-template-columns:repeat(12,minmax(0,1fr));gap:1rem}
.board .tile{margin:0;padding:1.25rem;gap:.75rem}.board h2{font-size:1.05rem}.board .empty{grid-column:1/-1}
.door{max-width:28rem;margin:14vh auto}.door h1{font-size:1.35rem}label{display:block;margin-top:1.5rem}
input{width:100%;margin:.25rem 0 .75rem;padding:.65rem .75rem;border:1px solid #7d8894;border-radius:.5rem;font:inherit}
.problem{margin-bottom:.75rem;font-weight:600}
button{min-width:2.75rem;min-height:2.75rem;padding:.5rem 1rem;border:0;border-radius:.5rem;background:var(--strong);color:var(--on-strong);
font:inherit;font-weight:600;cursor:pointer}
a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
.bar{position:sticky;bottom:0;display:flex;justify-content:center;align-items:center;gap:.75rem;padding:.6rem;background:var(--sheet);
border-top:1px solid var(--line)}.bar[hidden]{display:none}.count{min-width:4.5rem;text-align:center;font-variant-numeric:tabular-nums}
.presenting .top,.presenting .slide:not(.current),.presenting .empty{display:none}.presenting main{max-width:none;padding:0}
.presenting .current{justify-content:center;margin:0;min-height:calc(100vh - 4rem);padding:4vh 6vw;border-radius:0;font-size:1.25rem}
.presenting .current:focus{outline:none}.presenting .current h2{font-size:2.2rem}.presenting .current .words{max-width:60rem}
.presenting .current svg{max-height:62vh}.presenting .bar{opacity:.35}.presenting .bar:hover,.presenting .bar:focus-within{opacity:1}
@media (max-width:48rem){.slide,.tile{padding:1.25rem}.slide.of-title{padding:2.5rem 1.25rem}.slide.of-title h2{font-size:1.7rem}
.board{display:flex;flex-direction:column}.wide{display:none}.narrow{display:block}}
@media screen and (prefers-color-scheme:dark){:root{--ground:#10151c;--sheet:#19202a;--ink:#e8ecf3;--soft:#a8b3c3;--line:#313b49;--band:#222b37;
--strong:#8db8f5;--on-strong:#10151c}${nightColors()}}
@media print{body{background:#fff}.top,main{max-width:none;padding:0}.bar,.files,summary{display:none}
.slide,.tile{box-shadow:none;padding:0;break-inside:avoid}.slide{break-after:page}.slide:last-of-type{break-after:auto}.wide{display:block}
.narrow{display:none}@page{size:landscape;margin:14mm}}`

/** Arrows, Home and End go from slide to slide; F presents, Escape ends it. */
export const pageScript = `(() => {
const slides = [...document.querySelectorAll('.slide')]
if (slides.length === 0) return
const root = document.documentElement, bar = document.querySelector('.bar')
const count = document.querySelector('.count'), button = document.querySelector('[data-go=present]')
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
let at = 0, led = false
const presenting = () => root.classList.contains('presenting')
const mark = (to) => {
  at = Math.max(0, Math.min(slides.length - 1, to))
  slides.forEach((slide, index) => slide.classList.toggle('current', index === at))
  count.textContent = at + 1 + ' / ' + slides.length
}
const go = (to) => {
  led = true
  mark(to)
  slides[at].focus({ preventScroll: true })
  slides[at].scrollIntoView({ behavior: calm || presenting() ? 'auto' : 'smooth', block: 'start' })
}
const present = (on) => {
  root.classList.toggle('presenting', on)
  button.setAttribute('aria-pressed', String(on))
  if (on && root.requestFullscreen) root.requestFullscreen().catch(() => {})
  if (!on && document.fullscreenElement) document.exitFullscreen().catch(() => {})
  go(at)
}
const near = new Set()
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) near[entry.isIntersecting ? 'add' : 'delete'](slides.indexOf(entry.target))
  if (!led && near.size > 0) mark(Math.min(...near))
}, { rootMargin: '-20% 0px -60% 0px' })
slides.forEach((slide) => seen.observe(slide))
for (const kind of ['wheel', 'touchmove', 'mousedown']) addEventListener(kind, () => { led = presenting() }, { passive: true })
document.addEventListener('fullscreenchange', () => { if (!document.fullscreenElement && presenting()) present(false) })
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const wide = event.target.closest && event.target.closest('.scroll')
  if (wide && wide.scrollWidth > wide.clientWidth && event.key.startsWith('Arrow')) return
  const steps = { ArrowRight: 1, ArrowLeft: -1, ...(presenting() ? { ArrowDown: 1, ArrowUp: -1, PageDown: 1, PageUp: -1 } : {}) }
  if (steps[event.key]) go(at + steps[event.key])
  else if (event.key === 'Home') go(0)
  else if (event.key === 'End') go(slides.length - 1)
  else if (event.key === 'f' || event.key === 'F') present(!presenting())
  else if (event.key === 'Escape' && presenting()) present(false)
  else return void (led = presenting())
  event.preventDefault()
})
bar.addEventListener('click', (event) => {
  const what = event.target.dataset.go
  if (what === 'present') present(!presenting())
  else if (what) go(at + (what === 'on' ? 1 : -1))
})
mark(0)
bar.hidden = false
})()`
