import type { Client } from '../../../client/client.js';
import { replacePositions, type SourcePositions } from './source-positions.js';

/**
 * Builds the reactor of the project that has the name and the code of a reactor of the service, whose sources it then knows.
 * Returns undefined if the project has no such reactor, or other code for it.
 */
async function findDeployedPositions(
  client: Client,
  id: string,
  cwd: string,
): Promise<SourcePositions | undefined> {
  // Commands that need this only after a failure start without the bundler.
  const [{ findManifest }, { bundleReactor }] = await Promise.all([
    import('../../manifest/manifest.js'),
    import('./bundle.js'),
  ]);
  const manifest = await findManifest(cwd);
  if (!manifest) return undefined;
  const { name, code } = await client.call('reactors.get', { path: { id } });
  for (const entry of manifest.reactors.filter((one) => one.name === name)) {
    const { code: file, external } = entry;
    const bundle = await bundleReactor({ file, cwd, external, moduleAliases: manifest.moduleAliases });
    if (bundle.code === code) return bundle.positions;
  }
  return undefined;
}

/** Replaces positions in texts about reactors of the service by those of the project's sources. */
export class DeployedPositions {
  readonly #client: Client;
  readonly #cwd: string;
  readonly #found = new Map<string, Promise<SourcePositions | undefined>>();

  constructor(client: Client, cwd: string) {
    this.#client = client;
    this.#cwd = cwd;
  }

  /** Finds the positions of a reactor; undefined if its sources are not in the project or cannot be read. */
  find(reactorId: string): Promise<SourcePositions | undefined> {
    const found =
      this.#found.get(reactorId) ??
      findDeployedPositions(this.#client, reactorId, this.#cwd).catch(() => undefined);
    this.#found.set(reactorId, found);
    return found;
  }

  /** Replaces the positions in a text; one without positions is returned at once. */
  async replace(reactorId: string, text: string): Promise<string> {
    if (!/reactor\.js:\d/.test(text)) return text;
    const positions = await this.find(reactorId);
    return positions ? replacePositions(text, positions) : text;
  }
}
