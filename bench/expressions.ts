import { startEmulator } from '../emulator/index.js';
import { type Call, Client, ms, quantile, readTokens } from './clients.js';
import { atMost, type Measurement } from './measurement.js';

const NUMBERS = Array.from({ length: 10_000 }, (_, index) => index);
const LARGE = 'x'.repeat(1_000_000);
const SLOW = '{{ data | where_exp: "i", "data contains i" | size }}';
const DURATION_MS = 6_000;

/** R4: what hostile expressions of masks, searches and detokenization do to clients that read tokens, over HTTP. */
export async function readersBesideHostileExpressions(): Promise<Measurement> {
  const emulator = await startEmulator({ port: 0, memory: true, rateLimit: false });
  const { private: key } = emulator.keys;
  const client = new Client(emulator.url);
  const post = (path: string, body: unknown): Call => ({ method: 'POST', path, key, body });
  const { json } = await client.send(post('/tokens', { type: 'token', data: 'x' }));
  const stored = await client.send(post('/tokens', { type: 'token', data: NUMBERS }));
  const read: Call = { method: 'GET', path: `/tokens/${json.id}`, key };
  const quiet = await readTokens(client, read, 2_000);
  const attacks = [
    post('/tokens', { type: 'token', data: NUMBERS, mask: SLOW }),
    post('/tokens', { type: 'token', data: LARGE, mask: '{{data}}'.repeat(8_000) }),
    post('/tokens', { type: 'token', data: NUMBERS, search_indexes: Array(64).fill(SLOW) }),
    post('/detokenize', `{{ ${stored.json.id} | where_exp: "i", "value contains i" | size }}`),
    post('/tokens/search', { query: Array(100).fill('metadata.key:a*').join(' OR ') }),
  ];
  const end = performance.now() + DURATION_MS;
  const attackers = attacks.map(async (attack) => {
    const attacker = new Client(emulator.url);
    while (performance.now() < end) await attacker.send(attack);
    attacker.close();
  });
  const disturbed = await readTokens(client, read, DURATION_MS);
  await Promise.all(attackers);
  client.close();
  await emulator.close();
  const p99 = quantile(disturbed, 0.99);
  const what = 'clients read tokens while hostile expressions are evaluated: their p99';
  return atMost('R4', what, 100, p99, ' ms', ` (without: ${ms(quantile(quiet, 0.99))})`);
}
