/** What a coding agent needs to know to work on the project: how to try it, and what never to do. About 30 lines. */
export const AGENTS = `# Working on this project

The tenant of a tokenization service is declared in \`tokenctl.yaml\`; the code of its reactors is in \`reactors/\`. Work on the emulator,
which needs no account: no command below reaches another service while it runs.

## Try a change

- \`npx tokenctl reactor test\`: runs the cases in \`reactors/*.test.json\`. Add a case for what you change.
- \`npx tokenctl reactor run reactors/charge.ts --args '{"card":{"number":"4242424242424242"},"amount":1999}'\`: runs a file.
- \`npx tokenctl emulator start --ensure --json\`: runs until it is stopped, so start it in the background. If one runs already, it
  prints its address and exits.
- \`npx tokenctl plan\`, then \`npx tokenctl apply\`: what would change, and do it.
- \`npx tokenctl emulator exec --seed tokenctl.yaml --fail-on-leak -- npm test\`: an emulator of its own for the tests, with the objects of
  the manifest. It exits with 1 if token data appears outside of the service.

## Test an application

- Give each test a tenant: \`import { test } from 'tokenctl/vitest'\` (or \`tokenctl/playwright\`) passes \`tenant\`, \`client\` and \`clock\`.
- Never sleep: \`npx tokenctl emulator clock advance 1h\`, or \`await clock.advance('1h')\`, expires tokens and sends deliveries.
- Failures: \`npx tokenctl emulator fault add --operation tokens.get --status 503 --times 1\`.
- Webhooks: \`npx tokenctl event trigger token.expired --set token.id=card-1\`.

## When something is refused

- \`npx tokenctl auth explain --last\`: the permissions and rules that decided about the last refused request.
- \`npx tokenctl emulator requests --failed\`, \`npx tokenctl reactor logs charge\`, \`npx tokenctl doctor\`.
- \`npx --no tokenctl mcp\` offers the same as tools, with token data masked.

## Never

- Write card numbers, keys or secrets into files, names, metadata or logs; use test cards such as 4242424242424242.
- Pass \`--reveal\`, \`--yes\` or \`--profile\` unless you were asked to. \`npx tokenctl docs\` has everything else.
`;
