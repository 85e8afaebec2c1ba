import type { IdempotencyRecord } from '../../store/records.js';
import type { Insert, Store } from '../../store/store.js';

type Applications = Pick<Store, 'find'>;

/**
 * Adapts stored responses to the target of a move. A response is repeated only while its application has the revision that it
 * had at the request, and the copy of the application has another revision.
 */
export class RevisionAdapter {
  readonly #source: Applications;
  readonly #target: Applications;
  #revisions: Promise<ReadonlyMap<string, { source: number; target: number }>> | undefined;

  constructor(source: Applications, target: Applications) {
    this.#source = source;
    this.#target = target;
  }

  /** Returns the change to make in the target. Its applications must be there before the first stored response. */
  async adapt(change: Insert): Promise<Insert> {
    return change.insert === 'idempotency'
      ? { ...change, record: await this.#response(change.record) }
      : change;
  }

  async #response(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    const { application_id: id, application_revision: revision } = record;
    if (id === undefined || revision === undefined) return record;
    this.#revisions ??= this.#read();
    const known = (await this.#revisions).get(id);
    // No application ever has revision 0.
    return { ...record, application_revision: known?.source === revision ? known.target : 0 };
  }

  async #read(): Promise<ReadonlyMap<string, { source: number; target: number }>> {
    const [source, target] = await Promise.all([
      this.#source.find('applications', {}),
      this.#target.find('applications', {}),
    ]);
    const copies = new Map(target.records.map(({ id, revision }) => [id, revision]));
    return new Map(
      source.records.map(({ id, revision }) => [id, { source: revision, target: copies.get(id) ?? 0 }]),
    );
  }
}
