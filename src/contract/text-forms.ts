// The forms in which a secret appears in other text, for everything that searches for secrets.

type Encode = (text: string) => string;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
export const encodeUrl: Encode = (text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
export const encodeForm: Encode = (text) => new URLSearchParams({ '': text }).toString().slice(1);

/** How a value is written inside other text, by the name of the form. */
export const ESCAPES: Record<string, Encode> = {
  url: encodeUrl,
  'url-lower': (text) => encodeUrl(text).replace(/%../g, (code) => code.toLowerCase()),
  form: encodeForm,
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json-ascii': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  xml: (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
};

const recode = (text: string, from: BufferEncoding, to: BufferEncoding) =>
  Buffer.from(text, from).toString(to);

const encodingBy = (encoding: BufferEncoding, charset: BufferEncoding = 'utf8') => ({
  encode: (text: string) => recode(text, charset, encoding),
  decode: (text: string) => recode(text, encoding, charset),
});

/** How a whole text that contains values is encoded, by the name of the form. */
export const ENCODINGS: Record<string, { encode: Encode; decode: Encode }> = {
  hex: encodingBy('hex'),
  'hex-upper': { ...encodingBy('hex'), encode: (text) => recode(text, 'utf8', 'hex').toUpperCase() },
  base64: encodingBy('base64'),
  base64url: encodingBy('base64url'),
  'base64-unpadded': {
    ...encodingBy('base64'),
    encode: (text) => recode(text, 'utf8', 'base64').replace(/=+$/, ''),
  },
  'base64-bytes': encodingBy('base64', 'latin1'),
  'base64url-bytes': encodingBy('base64url', 'latin1'),
  'hex-bytes': encodingBy('hex', 'latin1'),
};

/** What may be base64 or hex of at least six characters. */
export const ENCODED = /[A-Za-z0-9+/_-]{8,}={0,2}/g;

/** The characters of base64 and base64url that bytes determine, at each of the three offsets at which they can start. */
export function base64Forms(bytes: Buffer): string[] {
  const encoded = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [...encoded, ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
