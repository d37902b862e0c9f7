// @ts-check
/**
 * Loaded into the mock server: a server that closes idle lines may close one that a slow machine is just
 * about to use. The client closes its own in time.
 */
const http = require("node:http")
const { listen } = http.Server.prototype

http.Server.prototype.listen = function (/** @type {any[]} */ ...given) {
  this.keepAliveTimeout = 0
  return Reflect.apply(listen, this, given)
}
