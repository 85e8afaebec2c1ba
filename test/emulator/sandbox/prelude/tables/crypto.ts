const RSA = `const { generateKeyPairSync } = c; const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });`;
const EC = `const { privateKey, publicKey } = c.generateKeyPairSync('ec', { namedCurve: 'P-256' });`;
const run = (body: string): string => `const c = require('crypto'); ${body}`;
const web = (body: string): string =>
  `const { subtle } = globalThis.crypto ?? require('crypto').webcrypto; ${body}`;

/**
 * Sections of `crypto` that the host computes. Results with random parts are reduced to what must be
 * equal.
 */
export const CRYPTO: Record<string, string[]> = {
  'crypto: ciphers': [
    run(
      `const k = Buffer.alloc(32, 1), iv = Buffer.alloc(16, 2); const e = c.createCipheriv('aes-256-cbc', k, iv); const t = e.update('héllo', 'utf8', 'hex') + e.final('hex'); const d = c.createDecipheriv('aes-256-cbc', k, iv); return [t, d.update(t, 'hex', 'utf8') + d.final('utf8')]`,
    ),
    run(
      `const k = Buffer.alloc(16, 1), iv = Buffer.alloc(12, 2); const e = c.createCipheriv('aes-128-gcm', k, iv); e.setAAD(Buffer.from('aad')); const t = Buffer.concat([e.update('abc'), e.final()]); const tag = e.getAuthTag(); const d = c.createDecipheriv('aes-128-gcm', k, iv); d.setAAD(Buffer.from('aad')); d.setAuthTag(tag); return [t.toString('base64'), tag.toString('hex'), d.update(t, null, 'utf8') + d.final('utf8')]`,
    ),
    run(
      `const k = Buffer.alloc(16), iv = Buffer.alloc(12); const d = c.createDecipheriv('aes-128-gcm', k, iv); d.setAuthTag(Buffer.alloc(16)); d.update('00', 'hex'); d.final()`,
    ),
    run(`c.createCipheriv('aes-256-cbc', Buffer.alloc(3), Buffer.alloc(16))`),
    run(`c.createCipheriv('nope', Buffer.alloc(16), null)`),
    run(
      `const e = c.createCipheriv('aes-128-ecb', Buffer.alloc(16), null); e.setAutoPadding(false); return Buffer.concat([e.update(Buffer.alloc(16)), e.final()]).toString('hex')`,
    ),
    run(
      `const e = c.createCipheriv('aes-256-ctr', Buffer.alloc(32), Buffer.alloc(16)); return [e.update('ab', 'utf8', 'base64'), e.update('c').toString('hex'), e.final().length]`,
    ),
    run(
      `return [c.getCiphers().includes('aes-256-gcm'), c.getCipherInfo('aes-256-gcm').keyLength, c.getCipherInfo('nope') === undefined, typeof c.constants.RSA_PKCS1_PADDING]`,
    ),
    run(
      `const e = c.createCipheriv('des-ede3-cbc', Buffer.alloc(24, 3), Buffer.alloc(8)); return e.update('pin', 'utf8', 'hex') + e.final('hex')`,
    ),
    run(
      `const e = c.createCipheriv('aes-256-cbc', Buffer.alloc(32), Buffer.alloc(16)); e.final(); e.final()`,
    ),
  ],
  'crypto: key derivation': [
    run(
      `return [c.pbkdf2Sync('pw', 'salt', 1000, 20, 'sha1').toString('hex'), c.scryptSync('pw', 'salt', 32).toString('hex'), c.scryptSync('pw', 'salt', 16, { N: 1024, r: 4, p: 2 }).toString('hex'), Buffer.from(c.hkdfSync('sha256', 'key', 'salt', 'info', 42)).toString('hex')]`,
    ),
    run(
      `const { promisify } = require('util'); return [(await promisify(c.pbkdf2)('pw', 'salt', 10, 8, 'sha512')).toString('hex'), (await promisify(c.scrypt)('pw', 'salt', 8)).toString('hex'), await new Promise((r) => c.hkdf('sha1', 'k', '', '', 4, (e, b) => r(Buffer.from(b).toString('hex'))))]`,
    ),
    run(`try { c.pbkdf2Sync('pw', 'salt', 1, 8, 'nope') } catch (e) { return e.name }`),
    run(`try { c.scryptSync('pw', 'salt', 8, { N: 3 }) } catch (e) { return [e.name, e.code] }`),
    run(`try { c.pbkdf2('pw', 'salt', 1, 8, 'sha1') } catch (e) { return [e.name, e.code] }`),
  ],
  'crypto: signatures and keys': [
    run(
      `${RSA} const s = c.createSign('RSA-SHA256'); s.update('a'); s.update('b'); const signature = s.sign(privateKey, 'base64'); const v = c.createVerify('sha256'); v.update('ab'); return [v.verify(publicKey, signature, 'base64'), signature.length, c.verify('sha256', Buffer.from('ac'), publicKey, Buffer.from(signature, 'base64'))]`,
    ),
    run(
      `${EC} const s = c.sign('sha256', Buffer.from('x'), { key: privateKey, dsaEncoding: 'ieee-p1363' }); return [s.length, c.verify('sha256', Buffer.from('x'), { key: publicKey, dsaEncoding: 'ieee-p1363' }, s), publicKey.asymmetricKeyType, privateKey.type, publicKey.asymmetricKeyDetails]`,
    ),
    run(
      `const { privateKey, publicKey } = c.generateKeyPairSync('ed25519'); const s = c.sign(null, Buffer.from('x'), privateKey); return [s.length, c.verify(null, Buffer.from('x'), publicKey, s)]`,
    ),
    run(
      `const { privateKey, publicKey } = c.generateKeyPairSync('rsa', { modulusLength: 1024, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'top' } }); const key = c.createPrivateKey({ key: privateKey, passphrase: 'top' }); return [publicKey.split('\\n')[0], privateKey.split('\\n')[0], key.asymmetricKeyDetails.modulusLength, c.createPublicKey(key).export({ type: 'spki', format: 'pem' }) === publicKey]`,
    ),
    run(
      `${RSA} const sealed = c.publicEncrypt(publicKey, Buffer.from('secret')); const oaep = { key: publicKey, padding: c.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }; return [c.privateDecrypt(privateKey, sealed).toString(), c.privateDecrypt({ ...oaep, key: privateKey }, c.publicEncrypt(oaep, Buffer.from('x'))).toString(), c.publicDecrypt(publicKey, c.privateEncrypt(privateKey, Buffer.from('y'))).toString()]`,
    ),
    run(
      `${EC} const jwk = publicKey.export({ format: 'jwk' }); return [jwk.kty, jwk.crv, c.createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) === publicKey.export({ type: 'spki', format: 'pem' }), Buffer.isBuffer(privateKey.export({ type: 'pkcs8', format: 'der' }))]`,
    ),
    run(
      `const k = c.createSecretKey(Buffer.from('secret')); return [k.type, k.symmetricKeySize, k.export().toString(), k.export({ format: 'jwk' }), c.createHmac('sha256', k).update('a').digest('hex'), k.equals(c.createSecretKey('secret', 'utf8'))]`,
    ),
    run(
      `const a = c.createECDH('secp256k1'); const b = c.createECDH('secp256k1'); const pa = a.generateKeys(); const pb = b.generateKeys('hex'); return [a.computeSecret(pb, 'hex', 'hex') === b.computeSecret(pa).toString('hex'), pa.length, a.getPrivateKey('hex').length <= 64, a.getPublicKey('hex', 'compressed').length]`,
    ),
    run(
      `const a = c.createECDH('prime256v1'); a.setPrivateKey(Buffer.alloc(32, 7)); return a.getPublicKey('hex')`,
    ),
    run(
      `const a = c.generateKeyPairSync('x25519'), b = c.generateKeyPairSync('x25519'); return c.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }).equals(c.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey }))`,
    ),
    run(`try { c.createPrivateKey('nope') } catch (e) { return e.name }`),
    run(`try { c.createSign('sha256').update('a').sign('nope') } catch (e) { return e.name }`),
    run(
      `const { promisify } = require('util'); const { publicKey } = await promisify(c.generateKeyPair)('ec', { namedCurve: 'P-384' }); return publicKey.asymmetricKeyDetails`,
    ),
    run(
      `return [c.getCurves().includes('secp256k1'), typeof c.webcrypto.subtle.digest, typeof c.KeyObject, Object.keys(c).includes('createSign')]`,
    ),
  ],
  'crypto.subtle': [
    web(
      `return (await Promise.all(['SHA-1', 'sha-256', { name: 'SHA-512' }].map((a) => subtle.digest(a, Buffer.from('abc'))))).map((b) => Buffer.from(b).toString('hex'))`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.from('key'), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']); const s = await subtle.sign('HMAC', k, Buffer.from('a')); return [Buffer.from(s).toString('hex'), await subtle.verify('HMAC', k, s, Buffer.from('a')), k.algorithm, k.usages, k.type, k.extractable, await subtle.exportKey('jwk', k)]`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.alloc(32, 1), 'AES-GCM', false, ['encrypt', 'decrypt']); const a = { name: 'AES-GCM', iv: Buffer.alloc(12), additionalData: Buffer.from('x') }; const t = await subtle.encrypt(a, k, Buffer.from('abc')); return [Buffer.from(t).toString('hex'), Buffer.from(await subtle.decrypt(a, k, t)).toString(), k.algorithm]`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.alloc(16, 1), 'AES-CBC', false, ['encrypt', 'decrypt']); const a = { name: 'AES-CBC', iv: Buffer.alloc(16) }; const t = await subtle.encrypt(a, k, Buffer.from('abc')); return [Buffer.from(t).toString('hex'), Buffer.from(await subtle.decrypt(a, k, t)).toString()]`,
    ),
    web(
      `const w = await subtle.importKey('raw', Buffer.alloc(32, 1), 'AES-KW', false, ['wrapKey', 'unwrapKey']); const k = await subtle.importKey('raw', Buffer.alloc(16, 2), 'AES-GCM', true, ['encrypt']); const t = await subtle.wrapKey('raw', k, w, 'AES-KW'); const u = await subtle.unwrapKey('raw', t, w, 'AES-KW', 'AES-GCM', true, ['encrypt']); const damaged = new Uint8Array(t); damaged[0] ^= 1; const error = await subtle.unwrapKey('raw', damaged, w, 'AES-KW', 'AES-GCM', true, ['encrypt']).catch((e) => e.name); return [Buffer.from(t).toString('hex'), Buffer.from(await subtle.exportKey('raw', u)).toString('hex'), w.algorithm, error]`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.from('pw'), 'PBKDF2', false, ['deriveBits', 'deriveKey']); const a = { name: 'PBKDF2', salt: Buffer.from('salt'), iterations: 1000, hash: 'SHA-256' }; const d = await subtle.deriveKey(a, k, { name: 'AES-GCM', length: 256 }, true, ['encrypt']); return [Buffer.from(await subtle.deriveBits(a, k, 128)).toString('hex'), Buffer.from(await subtle.exportKey('raw', d)).toString('hex')]`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.from('key'), 'HKDF', false, ['deriveBits']); return Buffer.from(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: Buffer.from('s'), info: Buffer.from('i') }, k, 256)).toString('hex')`,
    ),
    web(
      `const { publicKey, privateKey } = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']); const a = { name: 'ECDSA', hash: 'SHA-256' }; const s = await subtle.sign(a, privateKey, Buffer.from('x')); const raw = await subtle.exportKey('raw', publicKey); const again = await subtle.importKey('raw', raw, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']); return [s.byteLength, raw.byteLength, await subtle.verify(a, again, s, Buffer.from('x')), await subtle.verify(a, again, s, Buffer.from('y')), publicKey.usages, privateKey.usages, publicKey.algorithm]`,
    ),
    web(
      `const pair = await subtle.generateKey({ name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, true, ['encrypt', 'decrypt']); const t = await subtle.encrypt('RSA-OAEP', pair.publicKey, Buffer.from('x')); return [t.byteLength, Buffer.from(await subtle.decrypt('RSA-OAEP', pair.privateKey, t)).toString(), pair.publicKey.algorithm, (await subtle.exportKey('jwk', pair.publicKey)).alg]`,
    ),
    web(
      `const pair = await subtle.generateKey({ name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, true, ['sign', 'verify']); const spki = await subtle.exportKey('spki', pair.publicKey); const k = await subtle.importKey('spki', spki, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['verify']); return subtle.verify('RSASSA-PKCS1-v1_5', k, await subtle.sign('RSASSA-PKCS1-v1_5', pair.privateKey, Buffer.from('x')), Buffer.from('x'))`,
    ),
    web(
      `const [a, b] = await Promise.all([0, 1].map(() => subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']))); const bits = (own, other) => subtle.deriveBits({ name: 'ECDH', public: other.publicKey }, own.privateKey, 256); return Buffer.from(await bits(a, b)).equals(Buffer.from(await bits(b, a)))`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.alloc(32), 'AES-GCM', false, ['encrypt']); try { await subtle.exportKey('raw', k) } catch (e) { return e instanceof DOMException }`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.alloc(32), 'AES-GCM', false, ['encrypt']); try { await subtle.decrypt({ name: 'AES-GCM', iv: Buffer.alloc(12) }, k, Buffer.alloc(20)) } catch (e) { return e.name }`,
    ),
    web(
      `const k = await subtle.importKey('raw', Buffer.alloc(32), 'AES-GCM', false, ['decrypt']); try { await subtle.decrypt({ name: 'AES-GCM', iv: Buffer.alloc(12) }, k, Buffer.alloc(20)) } catch (e) { return e.name }`,
    ),
    web(`try { await subtle.digest('MD5', Buffer.alloc(1)) } catch (e) { return e.name }`),
    web(
      `try { await subtle.importKey('pkcs8', Buffer.from('x'), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']) } catch (e) { return e.name }`,
    ),
    web(
      `const k = await subtle.generateKey({ name: 'AES-CTR', length: 128 }, true, ['encrypt', 'decrypt']); const a = { name: 'AES-CTR', counter: Buffer.alloc(16), length: 64 }; return [Buffer.from(await subtle.decrypt(a, k, await subtle.encrypt(a, k, Buffer.from('ctr')))).toString(), k.algorithm]`,
    ),
  ],
};
