import { BlockList, isIPv4 } from 'node:net';
import { MAX_HOST_LENGTH } from '../limits.js';

/** Class of an IP address in the network policy. */
export type AddressKind = 'loopback' | 'forbidden' | 'other';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

const createBlockList = (...subnets: [string, number][]): BlockList => {
  const result = new BlockList();
  for (const [address, prefix] of subnets) result.addSubnet(address, prefix, familyOf(address));
  return result;
};

/** Includes the unspecified address, because connecting to it reaches this machine. */
const LOOPBACK = createBlockList(['127.0.0.0', 8], ['0.0.0.0', 32], ['::1', 128], ['::', 128]);

/** Link-local, multicast and broadcast addresses, and the metadata services of cloud providers, which hand out credentials. */
const FORBIDDEN = createBlockList(
  ['169.254.0.0', 16],
  ['fe80::', 10],
  ['224.0.0.0', 4],
  ['ff00::', 8],
  ['240.0.0.0', 4],
  // Alibaba Cloud, Azure, Oracle Cloud
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  // AWS, Google Cloud
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
);

/** Positions of the four bytes of an IPv4 address in an IPv6 address. */
type Layout = readonly [number, number, number, number];

const LAST_BYTES: Layout = [12, 13, 14, 15];

/** IPv6 ranges that carry an IPv4 address, with the layouts that are in use there. */
const EMBEDDING_RANGES: [BlockList, readonly Layout[]][] = [
  // IPv4-compatible (RFC 4291, section 2.5.5.1), IPv4-mapped (2.5.5.2) and IPv4-translated (RFC 2765)
  [createBlockList(['::', 96]), [LAST_BYTES]],
  [createBlockList(['::ffff:0:0', 96]), [LAST_BYTES]],
  [createBlockList(['::ffff:0:0:0', 96]), [LAST_BYTES]],
  // NAT64 (RFC 6052)
  [createBlockList(['64:ff9b::', 96]), [LAST_BYTES]],
  // Local-use NAT64 (RFC 8215), whose operators choose a prefix of 48, 56, 64 or 96 bits. RFC 6052 skips byte 8.
  [createBlockList(['64:ff9b:1::', 48]), [LAST_BYTES, [6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12]]],
  // 6to4 (RFC 3056)
  [createBlockList(['2002::', 16]), [[2, 3, 4, 5]]],
];

/** Classifies an IP address. An IPv6 address that carries an IPv4 address is classified by the latter. */
export function classifyAddress(address: string): AddressKind {
  const plain = address.replace(/%.*$/, '');
  const family = familyOf(plain);
  if (FORBIDDEN.check(plain, family)) return 'forbidden';
  if (LOOPBACK.check(plain, family)) return 'loopback';
  return family === 'ipv6' ? classifyEmbedded(plain) : 'other';
}

/** Where several layouts are possible, the address is refused if one of them is, and loopback only if all of them are. */
function classifyEmbedded(address: string): AddressKind {
  const layouts = EMBEDDING_RANGES.find(([range]) => range.check(address, 'ipv6'))?.[1];
  if (!layouts) return 'other';
  const bytes = parseIpv6Bytes(address);
  const embedded = layouts.map((layout) => layout.map((index) => bytes[index] ?? 0));
  // 0.0.0.0/8 contains no host: the address is not where that layout expects it.
  const candidates = embedded.filter(([first]) => first !== 0);
  const kinds = candidates.map((parts) => classifyAddress(parts.join('.')));
  if (kinds.includes('forbidden')) return 'forbidden';
  return kinds.length > 0 && kinds.every((kind) => kind === 'loopback') ? 'loopback' : 'other';
}

/** Returns the sixteen bytes of a valid IPv6 address, after `URL` has normalized dotted quads and leading zeros. */
function parseIpv6Bytes(address: string): number[] {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const front = parse(head);
  const back = tail === undefined ? [] : parse(tail);
  const groups = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/** Schemes whose URLs have a host after any number of slashes and backslashes (URL standard, "special scheme"). */
const SPECIAL = /^(?:https?|wss?|ftp|file):/i;

/** Whether a URL may have a host too long to parse: nothing can stop that call, whose time is quadratic. */
export function hasLongHost(text: string): boolean {
  if (text.length <= MAX_HOST_LENGTH) return false;
  // As the parser does. The origin of a blob URL is that of the URL inside it.
  const plain = text
    .replace(/[\t\n\r]+/g, '')
    .replace(/^[\0- ]+/, '')
    .replace(/^(?:blob:)+/i, '');
  return findHostPart(plain).length > MAX_HOST_LENGTH;
}

/** Returns the host with its port; for a relative URL that has none, an empty text. */
function findHostPart(text: string): string {
  const special = SPECIAL.exec(text)?.[0];
  if (special !== undefined) return cutHost(text.slice(special.length).replace(/^[/\\]+/, ''));
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  return /^[/\\]{2}/.test(rest) ? cutHost(rest.replace(/^[/\\]+/, '')) : '';
}

/** Cuts off the user info before the host, and everything behind it. */
function cutHost(text: string): string {
  const end = text.search(/[/\\?#]/);
  const authority = end < 0 ? text : text.slice(0, end);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
