// Runs a reactor file in plain Node.js, without a sandbox and with the real packages. Started with fork(): receives one
// message { file, args, configuration, service } and replies with what the function returned or threw.
const Module = require('node:module');
const { pathToFileURL } = require('node:url');
const errors = require('./errors.cjs');
const { createService } = require('./service.cjs');

const load = Module._load;
Module._load = (request, ...rest) =>
  request === 'svc-reactor-errors' ? errors : load.call(Module, request, ...rest);

const describe = (error, file) => {
  const frame = String(error?.stack ?? '')
    .split('\n')
    .find((line) => line.includes(file));
  const [, line] = /:(\d+):\d+\)?$/.exec(frame ?? '') ?? [];
  const { name, message, status, errors, headers, body } = Object(error);
  return { name, message, status, errors, headers, body, line: line && Number(line) };
};

process.once('message', async ({ file, args, configuration, service }) => {
  try {
    const loaded = await import(pathToFileURL(file).href);
    const svc = service ? createService(service) : null;
    const value = await loaded.default({ args, configuration, svc }, { svc });
    process.send({ returned: value ?? {} }, () => process.exit(0));
  } catch (error) {
    process.send({ threw: describe(error, file) }, () => process.exit(0));
  }
});
