// Bundles what runs inside the sandbox's engine: the prelude, a script, and the packages that reactor code may require.
import * as esbuild from 'esbuild';

/** @param {string} root */
export async function buildSandbox(root) {
  const common = /** @type {const} */ ({
    absWorkingDir: root,
    bundle: true,
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['browser', 'require', 'default'],
    target: 'es2023',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const modules = esbuild.build({
    ...common,
    entryPoints: ['axios', 'uuid'].map((name) => `emulator/sandbox/prelude/node-modules/bundles/${name}.ts`),
    outdir: 'dist/sandbox-modules',
    format: 'cjs',
  });
  const prelude = esbuild.build({
    ...common,
    entryPoints: { 'sandbox-prelude': 'emulator/sandbox/prelude/index.ts' },
    outdir: 'dist',
    format: 'iife',
    globalName: 'prelude',
  });
  await Promise.all([modules, prelude]);
}
