import type { Change, Store } from '../store/store.js';
import { wrapStore } from '../store/wrapped-store.js';
import type { StoreCounters } from './counters.js';
import type { IdempotencyMarker } from './idempotency/marker.js';
import type { LeakWatch } from './leaks/leak-watch.js';
import { assertNoRealCard, type CardRules } from './leaks/real-card-guard.js';
import type { EventPublisher } from './webhooks/event-publisher.js';

interface CommitServices {
  store: Store;
  /** undefined: real card numbers are accepted. */
  cardRules: CardRules | undefined;
  /** Read with each commit, because webhook events are delivered from the store that passes the pipeline. */
  webhookEvents: () => Pick<EventPublisher, 'commit'>;
  commits: Pick<StoreCounters, 'count'>;
  watches: readonly Pick<LeakWatch, 'addRecord'>[];
}

/** Every commit of the emulator passes it. Reads go to the store as they are. */
export interface CommitPipeline {
  store: Store;
  /** Returns the store as a request with an idempotency key uses it. */
  storeOf(marker: IdempotencyMarker): Store;
}

type Commit = (changes: Change[]) => Promise<void>;

/** A step refuses a commit, adds to it, or observes what becomes of it; it passes the changes on with `next`. */
type CommitStep = (changes: Change[], next: Commit) => Promise<void>;

/** Lists the steps of a commit from top to bottom. The last one writes all changes or none. */
export function createCommitPipeline(services: CommitServices): CommitPipeline {
  const { store, cardRules, webhookEvents, commits, watches } = services;
  const stepsOf = (marker?: IdempotencyMarker): CommitStep[] => [
    ...(cardRules ? [refuseRealCards(cardRules)] : []), // ProblemError 400
    ...(marker ? [markIdempotency(marker)] : []), //       in the first commit of the request
    addDeliveries(webhookEvents), //                       ProblemError 507; of the webhooks that want the events
    ...watches.map(watch), //                              after the write
    count(commits), //                                     after the write, or its failure
  ];
  const pipelineStore = (marker?: IdempotencyMarker): Store =>
    wrapStore(store, { commit: compose(stepsOf(marker), (changes) => store.commit(changes)) });
  return { store: pipelineStore(), storeOf: pipelineStore };
}

function compose(steps: readonly CommitStep[], write: Commit): Commit {
  return steps.reduceRight<Commit>((next, step) => (changes) => step(changes, next), write);
}

function refuseRealCards(rules: CardRules): CommitStep {
  return async (changes, next) => {
    for (const change of changes) assertNoRealCard(change, rules);
    await next(changes);
  };
}

/** Stores the idempotency key of a request with the first of its changes; see IdempotencyMarker. */
function markIdempotency(marker: IdempotencyMarker): CommitStep {
  return (changes, next) => marker.commit(changes, next);
}

/** Stores the deliveries of the events that a commit causes together with it, and starts them afterwards. */
function addDeliveries(webhookEvents: CommitServices['webhookEvents']): CommitStep {
  return (changes, next) => webhookEvents().commit(changes, next);
}

function watch(observer: Pick<LeakWatch, 'addRecord'>): CommitStep {
  return async (changes, next) => {
    await next(changes);
    for (const change of changes) {
      if ('insert' in change) observer.addRecord(change.insert, change.record);
      if ('replace' in change) observer.addRecord(change.replace, change.record);
    }
  };
}

function count(commits: Pick<StoreCounters, 'count'>): CommitStep {
  return (changes, next) => commits.count(() => next(changes));
}
