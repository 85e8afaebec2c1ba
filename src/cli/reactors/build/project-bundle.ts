import { findManifest, type Manifest } from '../../manifest/manifest.js';
import { bundleEntry, type CodeEntry } from './bundle.js';

function listCode({ reactors, proxies }: Manifest): CodeEntry[] {
  const transforms = proxies.flatMap(({ request_transform, response_transform, ...proxy }) =>
    [request_transform, response_transform]
      .filter((code) => typeof code === 'string')
      .map((code) => ({ ...proxy, code })),
  );
  return [...reactors, ...transforms];
}

/** Finds the file of the project that a service has the code of: builds the files of the manifest until one has this code. */
export async function findProjectBundle(code: string, cwd: string, name?: string) {
  const manifest = await findManifest(cwd);
  const entries = manifest ? listCode(manifest) : [];
  for (const entry of entries.filter((one) => name === undefined || one.name === name)) {
    // What cannot be built is not what a service has.
    for (const minify of new Set([entry.minify, true])) {
      const options = { cwd, moduleAliases: manifest?.moduleAliases };
      const bundle = await bundleEntry({ ...entry, minify }, options).catch(() => undefined);
      if (bundle?.code === code) return { file: entry.code, bundle };
    }
  }
  return undefined;
}
