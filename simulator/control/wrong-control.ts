/** A control was given what makes no sense. The message is a sentence; over HTTP it is a 400. */
export class WrongControl extends Error {}
