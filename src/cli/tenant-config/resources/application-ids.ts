import { didYouMean } from '../../../contract/nearest.js';
import { isUuid } from '../../../contract/uuid.js';
import { CliError } from '../../lib/errors.js';
import type { Stored } from './content.js';

/** Names and IDs of the applications that reactors and proxies refer to: those of the service, and those that a plan creates. */
export class ApplicationIds {
  /** Several IDs if the name is not unique, none for an application that is still to be created. */
  readonly #ids = new Map<string, string[]>();
  readonly #names = new Map<string, string>();

  add(name: string, id: string | undefined): void {
    const former = id === undefined ? undefined : this.#names.get(id);
    if (id !== undefined && former !== undefined && former !== name)
      this.#ids.set(
        former,
        this.#of(former).filter((one) => one !== id),
      );
    const ids = this.#of(name);
    if (id !== undefined) this.#names.set(id, name);
    this.#ids.set(name, id === undefined || ids.includes(id) ? ids : [...ids, id]);
  }

  addAll(applications: readonly Stored[]): void {
    for (const { id, content } of applications) this.add(content.name, id);
  }

  #of(name: string): string[] {
    return this.#ids.get(name) ?? [];
  }

  /** Returns the name that an ID or name refers to, or the ID if its name is not known or not unique. */
  toReference(idOrName: string): string {
    if (!isUuid(idOrName)) return idOrName;
    const id = idOrName.toLowerCase();
    const name = this.#names.get(id);
    return name !== undefined && this.#of(name).length === 1 ? name : id;
  }

  /** Replaces the ID of the application that an object refers to by its name. */
  withName(stored: Stored): Stored {
    const { content } = stored;
    return content.application
      ? { ...stored, content: { ...content, application: this.toReference(content.application) } }
      : stored;
  }

  has(name: string): boolean {
    return this.#of(name).length > 0;
  }

  /** Checks that a reference names exactly one application. @throws {CliError} if it does not */
  assertKnown(reference: string): void {
    if (isUuid(reference)) return;
    const ids = this.#ids.get(reference);
    if (ids && ids.length <= 1) return;
    throw new CliError(
      ids === undefined ? 'not_found' : 'failed',
      ids === undefined
        ? `There is no application ${JSON.stringify(reference)}.${didYouMean(reference, [...this.#ids.keys()])}`
        : `${ids.length} applications are named ${JSON.stringify(reference)}: ${ids.join(', ')}.`,
      { hint: 'Declare it in `applications` and run tokenctl apply, or see: tokenctl application list' },
    );
  }

  toId(reference: string): string {
    if (isUuid(reference)) return reference;
    this.assertKnown(reference);
    const [id] = this.#of(reference);
    if (id !== undefined) return id;
    throw new CliError('failed', `The application ${JSON.stringify(reference)} was not created.`);
  }
}
