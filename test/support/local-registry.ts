import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Manifest {
  name: string;
  version: string;
}

interface LocalRegistry {
  url: string;
  close(): void;
}

/**
 * Starts an npm registry that has these packages and no others, so that an install works without a network and fails when
 * it needs anything else.
 * @param directories the packages, as they are installed
 * @param workDir receives their tarballs
 */
export async function startLocalRegistry(
  directories: readonly string[],
  workDir: string,
): Promise<LocalRegistry> {
  const packages = new Map<string, { manifest: Manifest; tarball: string }>();
  for (const directory of directories) {
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', workDir, directory];
    const { stdout } = await run('npm', args, { cwd: workDir });
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest;
    packages.set(manifest.name, { manifest, tarball: join(workDir, stdout.trim()) });
  }
  const server = createServer(async (request, response) => {
    const [, name = '', isTarball] = /^\/(.*?)(\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const found = packages.get(name);
    if (!found) return response.writeHead(404).end('{}');
    if (isTarball) return response.end(await readFile(found.tarball));
    const { manifest } = found;
    const dist = { tarball: `http://${request.headers.host}/${encodeURIComponent(name)}.tgz` };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
