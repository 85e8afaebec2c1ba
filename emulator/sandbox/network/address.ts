import { BlockList, isIP, isIPv4 } from 'node:net';

/** Class of an IP address in the network policy. */
export type AddressKind = 'loopback' | 'forbidden' | 'other';

const createBlockList = (ipv4: [string, number][], ipv6: [string, number][]): BlockList => {
  const result = new BlockList();
  for (const [address, prefix] of ipv4) result.addSubnet(address, prefix, 'ipv4');
  for (const [address, prefix] of ipv6) result.addSubnet(address, prefix, 'ipv6');
  return result;
};

/** Includes the unspecified address, because connecting to it reaches this machine. */
const LOOPBACK = createBlockList(
  [
    ['127.0.0.0', 8],
    ['0.0.0.0', 32],
  ],
  [
    ['::1', 128],
    ['::', 128],
  ],
);

/** Link-local, multicast and broadcast addresses, and the metadata services of cloud providers, which hand out credentials. */
const FORBIDDEN = createBlockList(
  [
    ['169.254.0.0', 16],
    // Alibaba Cloud, Azure, Oracle Cloud
    ['100.100.100.200', 32],
    ['168.63.129.16', 32],
    ['192.0.0.192', 32],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  [
    ['fe80::', 10],
    // AWS, Google Cloud
    ['fd00:ec2::254', 128],
    ['fd20:ce::254', 128],
    ['ff00::', 8],
  ],
);

/** IPv6 ranges that embed an IPv4 address, with the index of the 16-bit group where it starts. */
const EMBEDDING_RANGES: [BlockList, number][] = [
  [createBlockList([], [['::ffff:0:0', 96]]), 6],
  [createBlockList([], [['64:ff9b::', 96]]), 6],
  [createBlockList([], [['2002::', 16]]), 1],
];

/** Classifies an IP address. An IPv6 address that embeds an IPv4 address is classified by the latter. */
export function classifyAddress(address: string): AddressKind {
  const plain = address.replace(/%.*$/, '');
  const embedded = isIPv4(plain) ? undefined : embeddedIPv4(plain);
  if (embedded !== undefined) return classifyAddress(embedded);
  const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
  if (FORBIDDEN.check(plain, family)) return 'forbidden';
  return LOOPBACK.check(plain, family) ? 'loopback' : 'other';
}

function embeddedIPv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const start = EMBEDDING_RANGES.find(([range]) => range.check(address, 'ipv6'))?.[1];
  if (start === undefined) return undefined;
  const groups = parseIpv6Groups(address);
  const [high = 0, low = 0] = groups.slice(start, start + 2);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Parses the eight groups of a valid IPv6 address, after `URL` has normalized dotted quads and leading zeros. */
function parseIpv6Groups(address: string): number[] {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const front = parse(head);
  const back = tail === undefined ? [] : parse(tail);
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
