import { type Client, inBackground } from '../../../client/client.js';
import { replacePositions, type SourcePositions } from './source-positions.js';

/** Returns the positions of a reactor of the service; undefined if the project has no such reactor, or other code for it. */
async function findDeployedPositions(client: Client, id: string, cwd: string) {
  // Commands that need this only after a failure start without the bundler.
  const { findProjectBundle } = await import('./project-bundle.js');
  const { name, code } = await inBackground(client).call('reactors.get', { path: { id } });
  return (await findProjectBundle(code, cwd, name))?.bundle.positions;
}

/** Replaces positions in texts about reactors of the service by those of the project's sources. */
export class DeployedPositions {
  readonly #found = new Map<string, Promise<SourcePositions | undefined>>();

  constructor(
    private readonly client: Client,
    private readonly cwd: string,
  ) {}

  find(reactorId: string): Promise<SourcePositions | undefined> {
    const found =
      this.#found.get(reactorId) ??
      findDeployedPositions(this.client, reactorId, this.cwd).catch(() => undefined);
    this.#found.set(reactorId, found);
    return found;
  }

  async replace(reactorId: string, text: string): Promise<string> {
    if (!/reactor\.js:\d/.test(text)) return text;
    const positions = await this.find(reactorId);
    return positions ? replacePositions(text, positions) : text;
  }
}
