/** Finds the password of a connection in the password file of the user. The package has no types of its own. */
declare module 'pgpass' {
  export default function findPassword(connection: object, callback: (found?: string) => void): void;
}
