/** Where `--inspect` and `--inspect-brk` listen. */
const PORT = 9_229;

const SHARED = {
  type: 'node',
  // Steps over what calls the reactor.
  skipFiles: ['<node_internals>/**', '**/sandbox-thread.cjs'],
};

export const LAUNCH = {
  version: '0.2.0',
  configurations: [
    {
      name: 'Test the reactor in the editor',
      request: 'launch',
      runtimeExecutable: 'npx',
      runtimeArgs: ['tokenctl', 'reactor', 'test', `\${file}`, '--inspect-brk'],
      attachSimplePort: PORT,
      console: 'integratedTerminal',
      ...SHARED,
    },
    {
      name: 'Attach to tokenctl emulator start --reactor-runtime node --inspect',
      request: 'attach',
      port: PORT,
      restart: true,
      ...SHARED,
    },
  ],
};
