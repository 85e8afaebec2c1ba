import { type Call, Client, compareRates, rateOf } from './clients.js';
import { atLeast, type Measurement } from './measurement.js';
import { type EmulatorServer, startEcho, withEmulator } from './servers.js';

const CARD = {
  type: 'card',
  data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' },
  metadata: { customer: 'cus_1' },
};

/** The request to the baseline, and the one to the emulator. */
type Pair = [base: Call, subject: Call];

export const postCard = ({ keys }: Pick<EmulatorServer, 'keys'>): Call => ({
  method: 'POST',
  path: '/tokens',
  key: keys.private,
  body: CARD,
});

/** Makes a benchmark against the baseline. @param prepare is given a client of the emulator */
const againstEcho =
  (
    id: string,
    what: string,
    goal: number,
    flags: string[],
    prepare: (emulator: EmulatorServer, client: Client) => Promise<Pair>,
  ) =>
  async (): Promise<Measurement> => {
    const echo = await startEcho();
    try {
      return await withEmulator(flags, async (emulator) => {
        const client = new Client(emulator.url);
        const [base, subject] = await prepare(emulator, client).finally(() => client.close());
        const { ratio, more } = await compareRates(rateOf(echo.port, base), rateOf(emulator.port, subject));
        return atLeast(id, what, goal, ratio, '×', more);
      });
    } finally {
      echo.stop();
    }
  };

const postPair = async (emulator: EmulatorServer): Promise<Pair> => [
  { method: 'POST', path: '/', key: '', body: CARD },
  postCard(emulator),
];

/** A GET, and one to which the baseline responds with a body of the same length. */
async function getPair(client: Client, path: string, key: string): Promise<Pair> {
  const subject: Call = { method: 'GET', path, key };
  const bytes = Buffer.byteLength(JSON.stringify(await client.send(subject)));
  return [{ method: 'GET', path: `/?bytes=${bytes}`, key: '' }, subject];
}

export const durableCreates = againstEcho(
  'H1',
  'POST /tokens, card, after fdatasync, 20 connections, against a raw node:http JSON echo',
  0.25,
  [],
  postPair,
);

export const memoryCreates = againstEcho(
  'H2',
  'POST /tokens with --memory, against the same',
  0.4,
  ['--memory'],
  postPair,
);

export const reads = againstEcho(
  'H3',
  'GET /tokens/{id} against a raw node:http GET',
  0.5,
  [],
  async (emulator, client) => {
    const { id } = await client.send(postCard(emulator));
    return getPair(client, `/tokens/${id}`, emulator.keys.private);
  },
);

/** The private application of the emulator reveals tokens; another one reads them. */
export const maskedPages = againstEcho(
  'H4',
  'GET /tokens?size=20, masked, against a raw node:http GET of the same size',
  0.35,
  [],
  async (emulator, client) => {
    for (let stored = 0; stored < 20; stored += 1) await client.send(postCard(emulator));
    const body = { name: 'masked', type: 'private', permissions: ['token:read'] };
    const key = emulator.keys.management;
    const masked = await client.send({ method: 'POST', path: '/applications', key, body });
    return getPair(client, '/tokens?size=20', String(masked.key));
  },
);
