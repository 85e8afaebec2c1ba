export function luhnValid(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** What issuers give out: numbers with a prefix, of one of several lengths. */
const ISSUERS = [
  { brand: 'visa', prefix: /^4/, lengths: [13, 16, 19] },
  {
    brand: 'mastercard',
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
  },
  { brand: 'american-express', prefix: /^3[47]/, lengths: [15] },
  { brand: 'discover', prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] },
  { brand: 'diners-club', prefix: /^3(?:0[0-5]|[689])/, lengths: [14, 15, 16, 17, 18, 19] },
  { brand: 'jcb', prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  { brand: 'unionpay', prefix: /^62/, lengths: [16, 17, 18, 19] },
];

export const issuerOf = (digits: string) => ISSUERS.find(({ prefix }) => prefix.test(digits));

/** The digits of a number that name its bank (decisions.md, "Expressions"). @param digits those of the whole number */
export const binLength = (digits: number): number => (digits < 16 ? 6 : 8);

/** Whether digits are a number that a card issuer could have given out. Timestamps and large constants may pass the checksum alone. */
export function isCardNumber(digits: string): boolean {
  return issuerOf(digits)?.lengths.includes(digits.length) === true && luhnValid(digits);
}

/** A UUID, whose groups can be digits by chance, or digits that few other characters separate. */
const NUMBERS = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d+(?:[\s\p{Pd}._/,]{1,3}\d+)*/giu;
const DIGITS = { minimum: 13, maximum: 19 };

/** Finds the card numbers in a text, in groups or not. A number may stand between others: `4242 4242 4242 4242 12/31`. */
export const cardNumbersIn = (text: string): { digits: string; start: number; end: number }[] =>
  [...text.matchAll(NUMBERS)].flatMap(({ 0: run, index }) => {
    if (run.length < DIGITS.minimum || /[a-f]|^\d{8}-\d{4}-\d{4}-\d{4}-\d{12}$/i.test(run)) return [];
    return inGroups([...run.matchAll(/\d+/g)]).map(({ digits, start, end }) => ({
      ...{ digits, start: index + start, end: index + end },
    }));
  });

function inGroups(groups: readonly RegExpMatchArray[]) {
  const found: { digits: string; start: number; end: number }[] = [];
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < DIGITS.maximum; last++) {
      const { 0: group = '', index = 0 } = groups[last] ?? {};
      digits += group;
      if (digits.length < DIGITS.minimum || !isCardNumber(digits)) continue;
      found.push({ digits, start: groups[first]?.index ?? 0, end: index + group.length });
      first = last;
      break;
    }
  }
  return found;
}

/** A run of digits, or of groups of digits, that nothing continues. */
const LONE_NUMBER = /(?<![0-9A-Za-z])(?:\d{13,19}|(?<!-)\d(?:(?:[ -]|%20)?\d){12,18}(?!-))(?![0-9A-Za-z])/g;

const digitsOf = (number: string): string => number.replaceAll(/%20|[ -]/g, '');

export const maskCardNumbers = (text: string): string =>
  text.replace(LONE_NUMBER, (number) =>
    isCardNumber(digitsOf(number)) ? 'X'.repeat(digitsOf(number).length) : number,
  );

export const holdsCardNumber = (text: string): boolean => maskCardNumbers(text) !== text;

const listOf = (numbers: string): string[] => numbers.trim().split(/\s+/);

/**
 * Test cards that payment processors document: the table of docs/leaks.md, "Real card numbers". Ranges are prefixes that they give out for
 * tests as a whole.
 */
export const TEST_CARDS: readonly { source: string; ranges?: string[]; numbers: string[] }[] = [
  {
    source: 'https://docs.stripe.com/testing',
    ranges: ['424242', '400000'],
    numbers: listOf(`
      4000056655665556 4012888888881881 4111111111111111 5555555555554444 2223003122003222
      5200828282828210 5105105105105100 378282246310005 371449635398431 6011111111111117
      6011000990139424 6011981111111113 3056930009020004 36227206271667 30569309025904
      38520000023237 6555900000604105 3566002020360505 3530111333300000 6200000000000005
      6200000000000047 6205500000000000004
    `),
  },
  {
    source: 'https://developer.paypal.com/braintree/docs/reference/general/testing',
    numbers: listOf(`
      36259600000004 6011000991300009 6304000000000000 2223000048400011 4005519200000004
      4009348888881881 4012000033330026 4012000077777777 4217651111111119 4500600000000061
      378734493671000
    `),
  },
  {
    source: 'https://developer.paypal.com/tools/sandbox/card-testing',
    numbers: listOf('376680816376961 5063516945005047 4772129056533503 4915805038587737'),
  },
  {
    source: 'https://docs.adyen.com/development-resources/test-cards-and-credentials/test-card-numbers',
    numbers: listOf(`
      4111111145551142 4988438843884305 4166676667666746 4646464646464644 4000620000000007
      4000060000000006 4293189100000008 4988080000000000 5555444433331111 5500000000000004
      2222400010000008 2222410740360010 2222410700000002 2222400030000004 2222400050000009
      2223520443560010 5577000055770004 5555341244441115 5136333333333335 5585558555855583
      5103221911199245 5424000000000015 2223000048410010 370000000000002 6011601160116611
      6445644564456445 36006666333344 3569990010095841 6243030000000001
    `),
  },
  {
    source: 'https://www.checkout.com/docs/developer-resources/testing/test-cards',
    numbers: listOf(`
      4543474002249996 5436031030606378 2223000010479399 5199992312641465 345678901234564
      30123456789019 4658584090000001 5000186622346654 4484070000035519 4734868958733862
      4567361325981788 4024007103573027 4485381577182090 4544249167673670 4724117215951699
      4659465888705671 4151512736305999 4897453568485113 4556294593757189 4818924250131070
      4556253752712245 4095254802642505 4532819413487978
    `),
  },
  {
    source: 'https://developerengine.fisglobal.com/apis/wpg/reference/testvalues',
    numbers: listOf(`
      4444333322221111 4911830000000 4917610000000000 4462030000000000 5454545454545454
      2221000000000009 343434343434343 36700102000000 36148900647913 3528000700000000
      4484070000000000 5163613613613613
    `),
  },
  {
    source:
      'https://developer.cybersource.com/docs/cybs/en-us/test-data/developer/all/so/test-data/testing_credit_card_services.html',
    numbers: listOf('2222420000001113 2222630000001125 3566111111111113'),
  },
  {
    source: 'https://developer.authorize.net/hello_world/testing_guide.html',
    numbers: listOf(`
      6011000000000012 3088000000000017 38000000000006 4007000000027 4012888818888 2223000010309703
      2223000010309711
    `),
  },
  {
    source: 'https://developer.squareup.com/docs/devtools/sandbox/payments',
    numbers: listOf('340000000000009 30000000000004 6011000000000004'),
  },
  {
    source: 'https://docs.mollie.com/reference/testing',
    numbers: listOf('4543474002249996 5436031030606378 2223000010479399'),
  },
];

const TEST_NUMBERS = new Set(TEST_CARDS.flatMap(({ numbers }) => numbers));
const TEST_RANGES = TEST_CARDS.flatMap(({ ranges = [] }) => ranges);

export function isTestCardNumber(digits: string): boolean {
  return TEST_NUMBERS.has(digits) || TEST_RANGES.some((prefix) => digits.startsWith(prefix));
}
