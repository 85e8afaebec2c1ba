// The inputs of each type of element: how they are labelled, when they are valid, and the data that they give.

const digits = (text) => text.replace(/\D/g, '');

/** Whether a number has a valid Luhn checksum. */
function isLuhn(number) {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a routing number has a valid ABA checksum. */
function isAba(number) {
  const sum = [...number].reduce((total, digit, index) => total + Number(digit) * [3, 7, 1][index % 3], 0);
  return number.length === 9 && sum > 0 && sum % 10 === 0;
}

/** `12 / 31` → `{ month: 12, year: 2031 }`; undefined unless it is a month. Whether it has passed is for the clock of the emulator. */
function expirationOf(text) {
  const [, month, year] = /^(0[1-9]|1[0-2])(?:20)?(\d\d)$/.exec(digits(text)) ?? [];
  return month === undefined ? undefined : { month: Number(month), year: 2000 + Number(year) };
}

/** @param autocomplete the kind of data for the browser, which helps people to fill it in */
const field = (label, isValid, value = digits, autocomplete = 'off') => ({
  label,
  isValid,
  value,
  autocomplete,
});

const isCardNumber = (text) => /^\d{13,19}$/.test(digits(text)) && isLuhn(digits(text));
const isMonth = (text) => expirationOf(text) !== undefined;
const isNotEmpty = (value) => value !== '';
const asTyped = (value) => value;

const number = field('Card number', isCardNumber, digits, 'cc-number');
const expiration = field('Expiration date (MM / YY)', isMonth, expirationOf, 'cc-exp');
const cvc = field('Security code', (text) => /^\d{3,4}$/.test(text.trim()), digits, 'cc-csc');
const routing = field('Routing number', (text) => isAba(digits(text)));
const account = field('Account number', (text) => /^\d{1,17}$/.test(digits(text)));
const text = field('Text', isNotEmpty, asTyped);

/** By type: the inputs by name, and the data of their values. */
export const ELEMENTS = {
  card: {
    inputs: { number, expiration, cvc },
    data: ({ number, expiration: { month, year } = {}, cvc }) => ({
      number,
      expiration_month: month,
      expiration_year: year,
      cvc,
    }),
  },
  cardNumber: { inputs: { number }, data: (values) => values.number },
  cardExpirationDate: { inputs: { expiration }, data: (values) => values.expiration },
  cardVerificationCode: { inputs: { cvc }, data: (values) => values.cvc },
  bank: {
    inputs: { routing, account },
    data: (values) => ({ routing_number: values.routing, account_number: values.account }),
  },
  text: { inputs: { text }, data: (values) => values.text },
};

const BRANDS = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2[2-7])/],
  ['american-express', /^3[47]/],
  ['discover', /^6/],
];

/** The brand of a card by the first digits of its number. */
export function brandOf(cardNumber) {
  return BRANDS.find(([, pattern]) => pattern.test(cardNumber))?.[0] ?? 'unknown';
}
