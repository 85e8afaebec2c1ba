import { type Call, compareRates, rateOf, send } from './clients.js';
import { atLeast, type Measurement } from './measurement.js';
import { type EmulatorServer, startEcho, startEmulator } from './servers.js';

const CARD = {
  type: 'card',
  data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' },
  metadata: { customer: 'cus_1' },
};

export const postCard = ({ keys }: Pick<EmulatorServer, 'keys'>): Call => ({
  method: 'POST',
  path: '/tokens',
  key: keys.private,
  body: CARD,
});

/** Returns the request to the baseline: the same POST, or a GET to which it responds with a body of the same length. */
async function baselineOf(subject: Call, url: string): Promise<Call> {
  if (subject.method === 'POST') return { ...subject, path: '/' };
  const bytes = Buffer.byteLength(JSON.stringify(await send(url, subject)));
  return { ...subject, path: `/?bytes=${bytes}` };
}

/** Makes a benchmark against the baseline. @param prepare returns the request to the emulator */
const againstEcho =
  (
    id: string,
    goal: number,
    what: string,
    prepare: (emulator: EmulatorServer) => Call | Promise<Call>,
    flags: string[] = [],
  ) =>
  async (): Promise<Measurement> => {
    const [echo, emulator] = [await startEcho(), await startEmulator(flags)];
    const subject = await prepare(emulator);
    const baseline = rateOf(echo, await baselineOf(subject, emulator.url));
    const { ratio, more } = await compareRates(baseline, rateOf(emulator.url, subject));
    return atLeast(id, what, goal, ratio, '×', more);
  };

const CREATES = 'POST /tokens, card, after fdatasync, 20 connections, against a raw node:http JSON echo';

export const durableCreates = againstEcho('H1', 0.25, CREATES, postCard);

const IN_MEMORY = 'POST /tokens with --memory, against the same';

export const memoryCreates = againstEcho('H2', 0.4, IN_MEMORY, postCard, ['--memory']);

const READS = 'GET /tokens/{id} against a raw node:http GET';

export const reads = againstEcho('H3', 0.5, READS, async (emulator) => {
  const { id } = await send(emulator.url, postCard(emulator));
  return { method: 'GET', path: `/tokens/${id}`, key: emulator.keys.private };
});

const PAGES = 'GET /tokens?size=20, masked, against a raw node:http GET of the same size';

/** The private application of the emulator reveals tokens; another one reads them. */
export const maskedPages = againstEcho('H4', 0.35, PAGES, async (emulator) => {
  const { url, keys } = emulator;
  for (let stored = 0; stored < 20; stored += 1) await send(url, postCard(emulator));
  const body = { name: 'masked', type: 'private', permissions: ['token:read'] };
  const masked = await send(url, { method: 'POST', path: '/applications', key: keys.management, body });
  return { method: 'GET', path: '/tokens?size=20', key: String(masked.key) };
});
