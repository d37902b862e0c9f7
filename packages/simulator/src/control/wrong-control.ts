/** A control was called with a wrong value. The message is a sentence; over HTTP it is a 400. */
export class WrongControl extends Error {}
