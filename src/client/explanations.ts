import type { AccessCall, AccessDecision, AccessExplanation } from '../contract/control/access.js';
import { describeDifferences } from '../contract/control/differences.js';
import type { RequestEvent } from '../contract/control/events.js';
import type { RequestExpectation, RequestVerification } from '../contract/control/request-journal.js';
import { RULE_OUTCOMES } from '../contract/control/vocabulary.js';

/** How the parts of a description look on a terminal, how names are made printable, and how lines are broken. */
interface AccessStyle extends Record<'bold' | 'dim' | 'red' | 'green' | 'escape', (text: string) => string> {
  /** Breaks text into lines that fit after this many columns. */
  fold: (text: string, indent: number) => string[];
}

const same = (text: string): string => text;
const PLAIN: AccessStyle = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  escape: same,
  fold: (text) => [text],
};

/** Returns the lines of a paragraph: its first line after `marker`, the others below its text. */
function paragraph(indent: number, text: string, { fold }: AccessStyle, marker = ''): string[] {
  const space = ' '.repeat(indent);
  return fold(text, indent).map((line, index) => (index === 0 && marker ? marker : space) + line);
}

/** Describes why requests were refused or what they were shown, rule by rule. */
export function describeAccess({ requests, calls }: AccessExplanation, style: AccessStyle = PLAIN): string {
  const lines = [
    ...requests.flatMap((request) => requestLines(request, style)),
    ...calls.flatMap((call) => callLines(call, style)),
  ];
  return lines.join('\n');
}

function requestLines({ method, path, status, error }: RequestEvent, style: AccessStyle): string[] {
  const color = status < 400 ? style.green : style.red;
  return [
    style.bold(`${method} ${style.escape(path)}  ${color(String(status))}`),
    ...(error === undefined ? [] : paragraph(2, style.escape(error), style)),
  ];
}

function callLines({ application, actor, permissions, decisions, cut }: AccessCall, style: AccessStyle) {
  const { name, type } = application;
  const by = actor.type === 'application' ? '' : `, called by ${actor.type} ${actor.id}`;
  const held = permissions ? paragraph(2, `permissions: ${permissions.join(', ') || 'none'}`, style) : [];
  return [
    `${style.bold(style.escape(name))} (${type})${by}`,
    ...held,
    ...(decisions.length === 0 ? ['  Any key may do this.'] : []),
    ...decisions.flatMap((decision) => decisionLines(decision, style)),
    ...(cut ? [style.dim('  … more was left out')] : []),
  ];
}

function decisionLines(decision: AccessDecision, style: AccessStyle): string[] {
  const { scope, granted, token_ids: tokens = [] } = decision;
  // Without a container, every rule that grants the permission will do.
  const rules = granted && (scope === 'operation' || scope === 'list') ? [] : (decision.rules ?? []);
  const named = tokens.slice(0, NAMED_TOKENS).map(style.escape).join(', ');
  const more = tokens.length > NAMED_TOKENS ? ` and ${tokens.length - NAMED_TOKENS} more` : '';
  return [
    ...paragraph(4, describe(decision), style, `  ${granted ? style.green('✓') : style.red('✗')} `),
    ...(tokens.length === 0
      ? []
      : paragraph(6, `token${tokens.length > 1 ? 's' : ''} ${named}${more}`, style).map(style.dim)),
    ...rules.flatMap((rule) => {
      const { priority, container, transform, permissions, description, outcome } = rule;
      const note = description === undefined ? '' : `  ${style.escape(description)}`;
      const marker = `      ${priority}  `;
      const text = `${container}  ${transform}  ${permissions.join(', ')}: ${RULE_OUTCOMES[outcome]}${note}`;
      const lines = paragraph(marker.length, text, style, marker);
      return outcome === 'decides' || outcome === 'grants' ? lines : lines.map(style.dim);
    }),
  ];
}

const NAMED_TOKENS = 3;

function describe(decision: AccessDecision): string {
  const { scope, permission, operation, containers = [], missing_on = [], transform, granted } = decision;
  const where = containers.join(' ');
  switch (scope) {
    case 'operation':
      return `${permission}${operation ? ` for ${operation}` : ''}: ${granted ? 'held' : 'missing'}`;
    case 'any_container':
      return granted
        ? `${permission} on ${where}: granted, ${SHOWN[transform ?? 'redact']}`
        : `${permission} on ${where}: missing, ${decision.rules ? 'no rule grants it' : 'the application does not hold it'}`;
    case 'every_container':
      return granted
        ? `${permission} on ${where}: granted on each`
        : `${permission} on ${where}: missing on ${missing_on.join(' ')}`;
    case 'response':
      return granted
        ? `${permission} on ${where}: the response shows the token, ${SHOWN[transform ?? 'redact']}`
        : `${permission} on ${where}: missing, so the response shows no data`;
    case 'list':
      return `${permission} for the list: ${granted ? `held, ${leftOut(decision)}` : 'missing'}`;
    case 'left_out':
      return `${permission} on ${where}: missing, left out of the list`;
  }
}

const SHOWN: Record<NonNullable<AccessDecision['transform']>, string> = {
  reveal: 'data revealed',
  mask: 'data masked',
  redact: 'data left out',
};

const leftOut = ({ left_out: count = 0 }: AccessDecision): string =>
  count === 0 ? 'nothing left out' : `${count} matching token${count > 1 ? 's' : ''} left out`;

const NAMED = 10;

/** Describes the outcome of a verification: how many requests matched, and where the nearest one differs. */
export function describeVerification(
  { times, followed_by, ...first }: RequestExpectation,
  { matched, nearest }: RequestVerification,
): string {
  const what = describeExpected(first);
  const expected = `Expected ${describeTimes(times)}${what && ` of ${what}`}`;
  const outcome = followed_by
    ? describeSequence([first, ...followed_by], matched)
    : `${expected}, but ${matched === 1 ? '1 matches' : `${matched} match`}.`;
  if (!nearest) return matched === 0 ? `${outcome} There are no requests.` : outcome;
  const { request, differences } = nearest;
  const lines = describeDifferences(differences, NAMED).map((line) => `  ${line}`);
  const name = `${request.method} ${request.path} (${request.status}, trace ${request.trace_id})`;
  return [outcome, `The nearest request is ${name}:`, ...lines].join('\n');
}

/** Names what was expected: `tokens.create`, `POST /tokens`. */
export const describeExpected = ({ operation, method, path }: RequestExpectation): string =>
  operation ?? [method, path].filter((part) => part !== undefined).join(' ');

function describeSequence(sequence: readonly RequestExpectation[], matched: number): string {
  const missing = sequence[matched] && describeExpected(sequence[matched]);
  return `Expected ${sequence.length} requests in order, but number ${matched + 1}${missing && `, ${missing},`} did not come.`;
}

function describeTimes(times: RequestExpectation['times']): string {
  if (times === undefined) return 'at least one request';
  if (typeof times === 'number') return times === 1 ? '1 request' : `${times} requests`;
  const { min = 0, max } = times;
  return max === undefined ? `at least ${min} requests` : `${min} to ${max} requests`;
}
