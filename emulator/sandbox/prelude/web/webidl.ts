import '../globals.js';
import { webidl } from 'undici/lib/web/webidl/index.js';

/** The package uses a method that Node.js 16 lacks and the prelude removes. Before the other files of the package, which read this. */
webidl.converters.USVString = (value: unknown) => String(value).replace(/\p{Surrogate}/gu, '\ufffd');
