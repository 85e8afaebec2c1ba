/** Draws what it is given. Text goes in as text only, so that nothing from a request can become markup. */

/** Rows kept on the page; older ones leave it. */
const MAX_ROWS = 300;

export const byId = (id) => document.getElementById(id);

/** An element with properties, and children that are elements or text. */
export function element(name, properties = {}, ...children) {
  const { data = {}, ...rest } = properties;
  const made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

export function replace(id, children) {
  byId(id).replaceChildren(...children);
  const empty = byId(`${id}-empty`);
  if (empty) empty.hidden = children.length > 0;
}

const number = new Intl.NumberFormat();
const clockTime = (iso) => iso.slice(11, 23);
const dayAndTime = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;

export function showFigure(id, value) {
  byId(`figure-${id}`).textContent = number.format(value);
}

function kindOf(status) {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

function requestRow(event, isNew) {
  const what = element('td', { className: 'wide', title: event.operation ?? '' });
  what.append(element('span', { className: 'method' }, event.method), event.path);
  return element(
    'tr',
    { className: isNew ? 'new' : '' },
    element('td', { className: 'quiet' }, clockTime(event.time)),
    what,
    element(
      'td',
      {},
      element('span', { className: 'badge', data: { kind: kindOf(event.status) } }, String(event.status)),
    ),
    element('td', { className: 'number' }, event.duration_ms.toFixed(1)),
    element('td', { className: 'id cut quiet', title: event.trace_id }, event.trace_id),
  );
}

/** Shows requests, the newest first. `total` is their number without the filter. */
export function showRequests(events, total) {
  replace(
    'requests',
    events
      .slice(-MAX_ROWS)
      .reverse()
      .map((event) => requestRow(event, false)),
  );
  byId('requests-empty').hidden = total > 0;
  byId('requests-unmatched').hidden = total === 0 || events.length > 0;
}

export function addRequests(events) {
  const body = byId('requests');
  body.prepend(...events.toReversed().map((event) => requestRow(event, true)));
  while (body.children.length > MAX_ROWS) body.lastChild.remove();
  byId('requests-empty').hidden = true;
  if (events.length > 0) byId('requests-unmatched').hidden = true;
}

/** Returns JSON on one line, with spaces at which it can wrap. */
function spaced(data) {
  return JSON.stringify(data, undefined, 1).replace(/\n\s*/g, ' ');
}

export function showTokens(tokens) {
  replace(
    'tokens',
    tokens.map((token) => {
      const data = token.data === undefined ? 'not shown' : spaced(token.data);
      return element(
        'tr',
        {},
        element('td', { className: 'id cut', title: token.id }, token.id),
        element('td', {}, token.type),
        element('td', { className: `wide ${token.data === undefined ? 'quiet' : 'mono'}` }, data),
        element('td', { className: 'mono' }, token.containers.join(' ')),
        element('td', { className: 'quiet' }, dayAndTime(token.created_at)),
      );
    }),
  );
}

export function showReactors(reactors, chosen, onChoose) {
  replace(
    'reactors',
    reactors.map(({ id, name, created_at, modified_at }) => {
      const pressed = id === chosen;
      const when = element('span', { className: 'quiet' }, ` · ${dayAndTime(modified_at ?? created_at)}`);
      const button = element('button', { type: 'button', className: 'plain' }, pressed ? 'All logs' : 'Log');
      button.setAttribute('aria-pressed', String(pressed));
      button.setAttribute(
        'aria-label',
        pressed ? 'Show the log of all reactors' : `Show the log of ${name} only`,
      );
      button.addEventListener('click', () => onChoose(pressed ? undefined : id));
      return element('li', {}, element('span', { title: id }, name, when), button);
    }),
  );
}

/** Returns level and text of an event for the reactor log. */
function logLine(event) {
  if (event.kind === 'reactor.log') return { level: event.level, text: event.message };
  if (event.kind === 'callback') {
    const outcome = event.status === undefined ? 'no response' : String(event.status);
    return {
      level: event.delivered ? 'callback' : 'failed',
      text: `callback, attempt ${event.attempt}: ${outcome}${event.delivered ? ', delivered' : ''}`,
    };
  }
  const failed = event.status === undefined || event.status >= 400;
  const outcome = event.status ?? event.error ?? 'failed';
  return {
    level: failed ? 'failed' : 'fetch',
    text: `${event.method} ${event.url} → ${outcome} (${Math.round(event.duration_ms)} ms)`,
  };
}

export function showLogs(events, nameOf) {
  replace(
    'logs',
    events
      .slice(-MAX_ROWS)
      .reverse()
      .map((event) => {
        const { level, text } = logLine(event);
        return element(
          'li',
          { title: event.trace_id ?? event.request_id ?? '' },
          element('span', { className: 'quiet' }, clockTime(event.time)),
          element('span', { data: { level } }, level),
          element(
            'span',
            { className: 'text' },
            element('span', { className: 'quiet' }, `${nameOf(event.reactor_id)} `),
            text,
          ),
        );
      }),
  );
}

export function showUsage({
  metrics_by_type,
  monthly_active_tokens: active,
  included_monthly_active_tokens: included,
}) {
  byId('usage-label').textContent =
    `${number.format(active)} of ${number.format(included)} included tokens active this month (UTC)`;
  const meter = byId('usage-meter');
  Object.assign(meter, {
    max: Math.max(included, active, 1),
    high: included * 0.9,
    optimum: 0,
    value: active,
  });
  const types = Object.entries(metrics_by_type).sort(([, a], [, b]) => b.count - a.count);
  const most = Math.max(1, ...types.map(([, { count }]) => count));
  replace(
    'usage-types',
    types.map(([type, { count }]) => {
      const bar = element('progress', { max: most, value: count });
      bar.setAttribute('aria-label', `${count} tokens of type ${type}`);
      return element('li', {}, element('span', {}, type), element('span', {}, number.format(count)), bar);
    }),
  );
}

function faultText(fault) {
  const what = fault.operation ?? ([fault.method, fault.path].filter(Boolean).join(' ') || 'every request');
  const happens = [
    fault.latency_ms && `waits ${fault.latency_ms} ms`,
    fault.status && `responds ${fault.status}`,
    fault.reset && 'resets the connection',
  ].filter(Boolean);
  const often = fault.times ? `, ${fault.times} more` : '';
  const share = fault.rate ? `, ${Math.round(fault.rate * 100)} %` : '';
  return `${what}: ${happens.join(', ')}${often}${share}`;
}

export function showFaults(faults, onRemove) {
  replace(
    'faults',
    faults.map((fault) => {
      const text = faultText(fault);
      const button = element('button', { type: 'button', className: 'plain' }, 'Remove');
      button.setAttribute('aria-label', `Remove: ${text}`);
      button.addEventListener('click', () => onRemove(fault.id));
      return element('li', {}, element('span', {}, text), button);
    }),
  );
  byId('faults-clear').hidden = faults.length === 0;
}

export function showClock(time, frozen) {
  const clock = byId('clock');
  clock.dateTime = new Date(time).toISOString();
  clock.textContent = `${dayAndTime(clock.dateTime)} UTC`;
  const freeze = byId('freeze');
  freeze.textContent = frozen ? 'Resume' : 'Freeze';
  freeze.setAttribute('aria-pressed', String(frozen));
}

/** Shows how far the clock is from that of the machine. */
export function showOffset(offsetMs, frozen) {
  const chip = byId('clock-chip');
  const minutes = Math.round(offsetMs / 60_000);
  const [days, hours] = [Math.trunc(minutes / 1_440), Math.trunc((minutes % 1_440) / 60)];
  const parts = [days && `${days} d`, hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`].filter(
    Boolean,
  );
  const words = [
    frozen && 'frozen',
    parts.length > 0 && `${minutes > 0 ? '+' : ''}${parts.join(' ')}`,
  ].filter(Boolean);
  chip.textContent = words.join(' · ');
  chip.hidden = words.length === 0;
}
