// The server's clock, and what will happen by itself.

import { app, refresh } from './app.js'
import { attempt, button, chip, empty, field, h, notice } from './ui.js'
import { length, millis, parseLength, short } from './words.js'

const timerRoute = 'timers/{id}'

export const timersTable = (timers, changed) => {
  if (!timers.length) return empty('No timer is pending', 'Replies under way, idle ends and queues show here.')
  const has = app.server.has(`DELETE ${timerRoute}`)
  return h('div', { class: 'scrolls' }, h('table', { class: 'plain', 'aria-label': 'Pending timers' },
    h('thead', null, h('tr', null, ['Timer', 'Session', 'Due in', 'Kind', has && ''].filter((t) => t !== false).map((t) => h('th', { scope: 'col' }, t || h('span', { class: 'hidden' }, 'Actions'))))),
    h('tbody', null, timers.slice(0, 200).map((timer) => {
      const dueIn = h('td', { class: 'number' }, timer.dueIn)
      dueIn.due = millis(timer.due)
      return h('tr', null, h('th', { scope: 'row' }, timer.name), h('td', null, timer.session ? h('a', { class: 'mono', href: `#/sessions/${timer.session}/state` }, short(timer.session)) : ''), dueIn,
        h('td', null, timer.script ? chip('script', 'info') : chip('background')),
        has && h('td', null, button('Fire now', () => act('POST', timer, '/fire', changed)), ' ', button('Cancel', () => act('DELETE', timer, '', changed), { class: 'danger' })))
    }))))
}
const act = (method, timer, tail, changed) => attempt(async () => {
  await app.server.ask(method, `timers/${timer.id}${tail}`)
  changed?.()
})

export const view = () => {
  const now = h('p', { class: 'now mono' })
  const ran = h('p', { class: 'note', role: 'status', 'aria-label': 'What ran' })
  const timers = h('div')
  const mode = h('div', { role: 'radiogroup', 'aria-label': 'Mode', class: 'row' })
  const scale = h('input', { type: 'number', min: 0.001, max: 1000, step: 'any', value: 10, 'aria-label': 'Scale' })
  const set = (body, done) => attempt(async () => {
    const clock = await app.server.post('clock', body)
    app.set('clock', { clock, clockAt: performance.now() })
    ran.textContent = clock.ran ? (clock.ran.length ? `Ran: ${clock.ran.slice(0, 12).join(', ')}${clock.ran.length > 12 ? ` and ${clock.ran.length - 12} more` : ''}` : 'No timer was due') + (clock.quiet === false ? ' · the limit came first' : '') : ''
    refresh('sessions')
    load()
  }, done)
  const load = async () => {
    try {
      const answer = await app.server.get('timers')
      timers.replaceChildren(timersTable(answer.timers, load))
    } catch (error) { timers.replaceChildren(empty('Timers cannot be told', error.message)) }
  }
  const draw = () => {
    const chosen = app.clock?.mode
    if (mode.contains(document.activeElement) && mode.dataset.mode === chosen) return
    mode.dataset.mode = chosen
    mode.replaceChildren(...[['real', 'Real time'], ['frozen', 'Frozen'], ['scaled', 'Scaled']].map(([name, text]) => h('label', { class: 'switch' }, h('input', { type: 'radio', name: 'mode', checked: chosen === name, onchange: () => set({ mode: name, ...name === 'scaled' ? { scale: Number(scale.value) } : {} }) }), text)), field('Scale', scale))
  }
  const tick = () => {
    const value = app.now()
    now.textContent = `${new Date(value).toISOString().replace('T', ' ').replace('Z', '')} UTC`
    for (const cell of timers.querySelectorAll('td.number')) cell.textContent = length(Math.max(0, cell.due - value))
  }
  const by = h('input', { type: 'text', 'aria-label': 'Advance by', placeholder: '800ms, 1.5s, 5m', size: 12, onkeydown: (event) => { if (event.key === 'Enter') advance() } })
  const advance = () => Number.isNaN(parseLength(by.value)) ? notice('Write a length of time: 800ms, 1.5s, 5m, 1h') : set({ advance: by.value.trim() })
  const node = h('div', { class: 'page' },
    h('header', { class: 'page-head' }, h('h2', null, 'Clock')), now,
    h('section', { class: 'box', 'aria-label': 'Steer the clock' }, mode,
      h('div', { class: 'row' }, [['+100 ms', '100ms'], ['+1 s', '1s'], ['+10 s', '10s'], ['+1 min', '1m'], ['+10 min', '10m'], ['+1 h', '1h']].map(([text, length]) => button(text, () => set({ advance: length }))), field('Advance by', by), button('Advance', advance)),
      h('div', { class: 'row' }, button('Run next timer', () => set({ next: true })), button('Run until quiet', () => set({ untilQuiet: true })), button('Reset', () => set({ mode: 'real' }, 'Real time again; time never goes back'))), ran),
    h('h3', null, 'Pending timers'), timers)
  draw()
  tick()
  load()
  const off = [app.on('clock', draw), app.on('rows sessions', () => { soon ??= setTimeout(() => { soon = undefined; load() }, 400) })]
  let soon
  const ticking = setInterval(tick, 200)
  return { node, title: 'Clock', destroy: () => { off.forEach((f) => f()); clearInterval(ticking) } }
}
