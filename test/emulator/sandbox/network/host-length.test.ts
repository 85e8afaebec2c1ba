import { expect, test } from 'vitest';
import { hasLongHost } from '../../../../emulator/sandbox/network/address.js';
import { returned, testSandbox } from '../../../support/sandbox.js';

const sandbox = testSandbox();

const LONG = 'a'.repeat(600);

test.each([
  `http://${LONG}`,
  `http:${LONG}`,
  `HTTP:\\\\${LONG}/x`,
  `http:////${LONG}?q`,
  `\0 http://${LONG}`,
  `h\tt\ntp:/\r/${LONG}`,
  `//${LONG}/x`,
  `/\\${LONG}`,
  `http://user:pass@${LONG}`,
  `http://a@b@${LONG}:80#x`,
  `blob:https://${LONG}/x`,
  `ws://${LONG}`,
  `foo://${LONG}`,
])('a long host is found: %s', (text) => {
  expect(hasLongHost(text)).toBe(true);
});

test.each([
  `http://a/${LONG}`,
  `http://a?${LONG}`,
  `http://a#${LONG}`,
  `http://${LONG}@a/`,
  `/${LONG}`,
  LONG,
  `?//${LONG}`,
  `data:text/plain,${LONG}`,
  `mailto:${LONG}`,
  `http://${'a'.repeat(500)}/`,
])('a short host, or none, is not: %s', (text) => {
  expect(hasLongHost(text)).toBe(false);
});

test.each(['domainToASCII', 'domainToUnicode'])('%s leaves a domain that is too long', async (name) => {
  const code = `module.exports = ({ args }) => ({ raw: require('url').${name}(args).length })`;
  expect(await returned(sandbox, code, { args: 'a'.repeat(500) })).toEqual({ raw: 500 });
  expect(await returned(sandbox, code, { args: LONG })).toEqual({ raw: 0 });
});
