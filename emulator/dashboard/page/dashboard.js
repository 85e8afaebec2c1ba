import { call, follow, operations, SignInNeeded, takeTokenFromAddress, useToken } from './api.js';
import * as view from './view.js';

const { byId } = view;

/** The number of events that are kept for each table. */
const KEPT = 1_000;
/** The shortest time between two loads of the overview, in milliseconds. */
const OVERVIEW_MS = 1_000;
const LOG_KINDS = new Set(['reactor.log', 'reactor.request', 'callback']);

const state = {
  tenant: undefined,
  requests: [],
  logs: [],
  paused: false,
  filter: '',
  reactor: undefined,
  reactors: [],
  clock: { at: 0, read: 0, frozen: false },
  overviewTimer: undefined,
  noticeOrigin: undefined,
  replaying: true,
};

const ofTenant = ({ tenant_id }) => tenant_id === undefined || tenant_id === state.tenant;

function matchesFilter({ method, path, status, trace_id, operation }) {
  const text = `${method} ${path} ${status} ${trace_id} ${operation ?? ''}`.toLowerCase();
  return state.filter.split(/\s+/).every((word) => text.includes(word));
}

/** @param origin `action` or `refresh`: only a refresh that succeeds removes the notice of one that failed. */
function showNotice(message, origin) {
  state.noticeOrigin = origin;
  byId('notice').textContent = message;
  byId('notice').hidden = false;
}

function hideNotice() {
  state.noticeOrigin = undefined;
  byId('notice').textContent = '';
  byId('notice').hidden = true;
}

/** Runs what the user asked for. A failure is shown until the next action. */
async function attempt(action) {
  hideNotice();
  try {
    await action();
  } catch (error) {
    if (error instanceof SignInNeeded) signIn(error.message);
    else showNotice(error.message, 'action');
  }
}

/** Loads data in the background. It leaves the notice of an action alone, which the user may not have read yet. */
async function refresh(load) {
  try {
    await load();
    if (state.noticeOrigin === 'refresh') hideNotice();
  } catch (error) {
    if (error instanceof SignInNeeded) signIn(error.message);
    else if (state.noticeOrigin !== 'action') showNotice(error.message, 'refresh');
  }
}

function drawRequests() {
  const own = state.requests.filter(ofTenant);
  view.showRequests(own.filter(matchesFilter), own.length);
  drawCounts();
}

function drawCounts() {
  const own = state.requests.filter(ofTenant);
  view.showFigure('requests', own.length);
  view.showFigure('failed', own.filter(({ status }) => status >= 400).length);
}

function drawLogs() {
  const own = state.logs.filter(
    (event) => ofTenant(event) && (!state.reactor || event.reactor_id === state.reactor),
  );
  const names = new Map(state.reactors.map(({ id, name }) => [id, name]));
  view.showLogs(own, (id) => names.get(id) ?? 'a deleted reactor');
  byId('logs-scope').textContent = state.reactor ? (names.get(state.reactor) ?? '') : 'all reactors';
}

function drawReactors() {
  view.showReactors(state.reactors, state.reactor, (id) => {
    state.reactor = id;
    drawReactors();
    drawLogs();
  });
}

async function loadOverview() {
  const query = state.tenant ? `?tenant=${encodeURIComponent(state.tenant)}` : '';
  const overview = await call('GET', `/overview${query}`).catch((error) => {
    // The selected tenant may have been deleted: fall back to the first one.
    if (!state.tenant || error instanceof SignInNeeded) throw error;
    return call('GET', '/overview');
  });
  const changed = state.tenant !== overview.tenant.id;
  state.tenant = overview.tenant.id;
  state.reactors = overview.reactors.newest;
  drawTenants(overview.tenants);
  view.showFigure('tokens', overview.tokens.total);
  view.showFigure('active', overview.usage.monthly_active_tokens);
  view.showFigure('reactors', overview.reactors.total);
  view.showFigure('applications', overview.applications);
  view.showTokens(overview.tokens.newest);
  view.showUsage(overview.usage);
  drawReactors();
  drawLogs();
  if (changed) drawRequests();
}

function drawTenants(tenants) {
  const options = tenants.map(({ id, name }) => new Option(name, id, false, id === state.tenant));
  byId('tenant').replaceChildren(...options);
}

/** Loads the overview once for many events. */
function scheduleOverview() {
  state.overviewTimer ??= setTimeout(() => {
    state.overviewTimer = undefined;
    // The faults too: one with a limited number of times counts down with the requests.
    refresh(() => Promise.all([loadOverview(), loadFaults()]));
  }, OVERVIEW_MS);
}

async function loadClock() {
  setClock(await call('GET', '/clock'));
}

function setClock({ now, frozen, offset_ms }) {
  state.clock = { at: Date.parse(now), read: performance.now(), frozen };
  view.showOffset(offset_ms, frozen);
  tick();
}

function tick() {
  const { at, read, frozen } = state.clock;
  if (at > 0) view.showClock(frozen ? at : at + performance.now() - read, frozen);
}

const changeClock = (change) =>
  attempt(async () => {
    setClock(await call('PUT', '/clock', change));
    await loadOverview();
  });

async function loadFaults() {
  const { faults } = await call('GET', '/faults');
  view.showFaults(faults, (id) => attempt(() => call('DELETE', `/faults/${id}`)));
}

function onEvents(events) {
  const requests = events.filter(({ kind }) => kind === 'request');
  const logs = events.filter(({ kind }) => LOG_KINDS.has(kind));
  const kinds = new Set(events.map(({ kind }) => kind));
  if (kinds.has('reset')) startOver();
  state.requests = [...state.requests, ...requests].slice(-KEPT);
  state.logs = [...state.logs, ...logs].slice(-KEPT);
  showNew(requests);
  if (logs.length > 0) drawLogs();
  if (requests.length > 0 || kinds.has('reset') || kinds.has('snapshot')) scheduleOverview();
  if (kinds.has('clock') || kinds.has('reset')) refresh(loadClock);
  if (kinds.has('faults') || kinds.has('reset')) refresh(loadFaults);
}

function showNew(requests) {
  if (requests.length === 0 || state.paused) return;
  if (state.replaying) drawRequests();
  else view.addRequests(requests.filter((event) => ofTenant(event) && matchesFilter(event)));
  state.replaying = false;
  drawCounts();
}

function startOver() {
  state.requests = [];
  state.logs = [];
  state.reactor = undefined;
  drawRequests();
}

function onState(connection) {
  const status = byId('connection');
  status.dataset.state = connection;
  status.textContent = connection === 'live' ? 'Live' : 'Connection lost, reconnecting …';
  if (connection !== 'live') return;
  // The stream starts with the recent events again: without this they would be shown twice.
  state.replaying = true;
  startOver();
  refresh(() => Promise.all([loadOverview(), loadClock(), loadFaults()]));
}

function signIn(message) {
  byId('content').hidden = true;
  byId('sign-in').hidden = false;
  byId('connection').dataset.state = 'waiting';
  byId('connection').textContent = 'Waiting for the control token';
  if (message) showNotice(message, 'action');
  byId('token').focus();
}

async function open() {
  byId('sign-in').hidden = true;
  byId('content').hidden = false;
  try {
    await follow(onEvents, onState);
  } catch (error) {
    signIn(error.message);
  }
}

function faultFromForm() {
  const kind = byId('fault-kind').value;
  const latency = byId('fault-latency').valueAsNumber;
  const times = byId('fault-times').valueAsNumber;
  const operation = byId('fault-operation').value;
  return {
    ...(operation && { operation }),
    ...(kind === 'reset' ? { reset: true } : kind !== 'latency' && { status: Number(kind) }),
    ...(kind === 'latency' && { latency_ms: 1_000 }),
    ...(latency > 0 && { latency_ms: latency }),
    ...(times > 0 && { times }),
  };
}

function listen(id, event, handler) {
  byId(id).addEventListener(event, handler);
}

function listenForm(id, handler) {
  listen(id, 'submit', (event) => {
    event.preventDefault();
    handler();
  });
}

function wire() {
  listen('tenant', 'change', ({ target }) => {
    state.tenant = target.value;
    drawRequests();
    attempt(loadOverview);
  });
  listen('filter', 'input', ({ target }) => {
    state.filter = target.value.trim().toLowerCase();
    drawRequests();
  });
  listen('pause', 'click', ({ target }) => {
    state.paused = !state.paused;
    target.textContent = state.paused ? 'Continue' : 'Pause';
    target.setAttribute('aria-pressed', String(state.paused));
    if (!state.paused) drawRequests();
  });
  for (const button of document.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', () => changeClock({ advance: button.dataset.advance }));
  }
  listenForm('clock-form', () => {
    const value = byId('clock-input').value.trim();
    changeClock(/^\d{4}-/.test(value) ? { now: value } : { advance: value });
  });
  listen('freeze', 'click', () => changeClock({ frozen: !state.clock.frozen }));
  listen('clock-reset', 'click', () => changeClock({ reset: true }));
  listenForm('fault-form', () => attempt(() => call('POST', '/faults', faultFromForm())));
  listen('faults-clear', 'click', () => attempt(() => call('DELETE', '/faults')));
  listen('reset', 'click', () => byId('reset-dialog').showModal());
  listen('reset-dialog', 'close', ({ target }) => {
    if (target.returnValue === 'reset') attempt(() => call('POST', '/reset'));
    target.returnValue = '';
  });
  listenForm('sign-in-form', () => {
    useToken(byId('token').value);
    byId('token').value = '';
    hideNotice();
    open();
  });
}

wire();
setInterval(tick, 1_000);
operations().then((ids) => byId('fault-operation').append(...ids.map((id) => new Option(id, id))));
if (takeTokenFromAddress()) open();
else signIn();
