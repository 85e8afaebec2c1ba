/** It has no types of its own. */
declare module 'pgpass' {
  /** Finds the password of a connection in the password file of the user. */
  export default function findPassword(
    connection: object,
    callback: (password: string | undefined) => void,
  ): void;
}
