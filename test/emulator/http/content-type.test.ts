import { describe, expect, test } from 'vitest';
import { checkContentType } from '../../../emulator/http/body-parser.js';

const check = (body: 'json' | 'merge-patch', headers: Record<string, string>) => () =>
  checkContentType(body, headers);

describe('checkContentType', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;x=1',
  ])('accepts %s for JSON', (type) => {
    expect(check('json', { 'content-type': type })).not.toThrow();
  });

  test.each(['text/plain', 'application/jsonp', 'application/merge-patch+json', ''])(
    'rejects %j for JSON',
    (type) => {
      expect(check('json', { 'content-type': type, 'content-length': '2' })).toThrow(
        'The header Content-Type must be application/json.',
      );
    },
  );

  test('needs no type for JSON without a body', () => {
    expect(check('json', {})).not.toThrow();
    expect(check('json', { 'content-length': '0' })).not.toThrow();
    expect(check('json', { 'content-length': '2' })).toThrow();
    expect(check('json', { 'transfer-encoding': 'chunked' })).toThrow();
  });

  test('always needs the type of a merge patch', () => {
    expect(check('merge-patch', { 'content-type': 'application/merge-patch+json' })).not.toThrow();
    expect(check('merge-patch', {})).toThrow('application/merge-patch+json');
    expect(check('merge-patch', { 'content-type': 'application/json' })).toThrow();
  });
});
