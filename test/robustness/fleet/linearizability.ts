/** An operation on one token, as its client saw it. Times in milliseconds of one clock. */
export interface Observed {
  kind: 'create' | 'update' | 'read' | 'delete';
  start: number;
  /** Absent if the client never learnt what became of it: it may happen at any time after its start, or never. */
  end?: number;
  /** The value that was written, or read. */
  value?: string;
  /** What it found: whether the token existed before it. */
  found?: boolean;
}

/** The value of a token; undefined when it does not exist. */
type State = string | undefined;

/** The state after an operation, or `impossible` if it cannot have had its result in this state. */
function apply({ kind, value, found }: Observed, state: State): State | 'impossible' {
  const exists = state !== undefined;
  if (found !== undefined && found !== exists) return 'impossible';
  if (kind === 'read') return exists && state !== value ? 'impossible' : state;
  // One without a result that would change nothing need not have happened.
  if (found === undefined && exists === (kind === 'create')) return 'impossible';
  if (kind === 'create') return exists ? state : value;
  if (kind === 'update') return exists ? value : state;
  return undefined;
}

/** One way to explain the history so far: the state, and which of the operations in progress have happened. */
interface Explanation {
  state: State;
  happened: ReadonlySet<Observed>;
}

/**
 * Whether one order of the operations explains all results, in which each happens between its start and its end: the token is
 * a register that many clients use (linearizability).
 */
export function isExplained(history: readonly Observed[]): boolean {
  const names = new Map(history.map((operation, index) => [operation, index]));
  const nameOf = ({ state, happened }: Explanation) =>
    JSON.stringify([state, [...happened].map((one) => names.get(one)).sort()]);
  const events = history.flatMap((operation) => [
    { at: operation.start, isEnd: false, operation },
    ...(operation.end === undefined ? [] : [{ at: operation.end, isEnd: true, operation }]),
  ]);
  events.sort((a, b) => a.at - b.at || Number(a.isEnd) - Number(b.isEnd));
  const inProgress = new Set<Observed>();
  let explanations: Explanation[] = [{ state: undefined, happened: new Set() }];
  for (const { isEnd, operation } of events) {
    if (!isEnd) {
      inProgress.add(operation);
      continue;
    }
    explanations = distinct(
      explanations.flatMap((one) => untilHappened(operation, one, inProgress, nameOf)),
      nameOf,
    );
    inProgress.delete(operation);
    if (explanations.length === 0) return false;
  }
  return true;
}

/** The explanations in which an operation has happened, without it among those in progress. */
function untilHappened(
  wanted: Observed,
  from: Explanation,
  inProgress: ReadonlySet<Observed>,
  nameOf: (explanation: Explanation) => string,
): Explanation[] {
  const found: Explanation[] = [];
  const seen = new Set<string>();
  const visit = (explanation: Explanation) => {
    if (explanation.happened.has(wanted)) {
      const happened = new Set(explanation.happened);
      happened.delete(wanted);
      found.push({ state: explanation.state, happened });
      return;
    }
    const name = nameOf(explanation);
    if (seen.has(name)) return;
    seen.add(name);
    for (const operation of inProgress) {
      if (explanation.happened.has(operation)) continue;
      const state = apply(operation, explanation.state);
      if (state !== 'impossible') visit({ state, happened: new Set([...explanation.happened, operation]) });
    }
  };
  visit(from);
  return found;
}

function distinct(explanations: Explanation[], nameOf: (explanation: Explanation) => string): Explanation[] {
  return [...new Map(explanations.map((explanation) => [nameOf(explanation), explanation])).values()];
}
