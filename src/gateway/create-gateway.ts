import type { Gateway, GatewayOptions } from "./gateway"
export declare function createGateway(options: GatewayOptions): Gateway
