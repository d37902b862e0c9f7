/**
 * The demo store's configuration: what a customer would write, with every address and secret from
 * the environment that `npm start` sets.
 */
import { defineConfig } from "@medusajs/framework/utils"
import { withMerchantPayments } from "medusa-plugin-merchant-payments/config"

const { ADMIN_CORS, AUTH_CORS, STORE_CORS, COOKIE_SECRET, DATABASE_URL, JWT_SECRET } = process.env
const { DEMO_FEE_BEARER, DEMO_ORDER_PLACEMENT, MEDUSA_FF_RBAC } = process.env
const { DEMO_POOL_MAX, MEDUSA_WORKER_MODE, REDIS_URL } = process.env

/** Sends nothing: it writes into the log what a provider of a real shop would have sent. */
const notifications = {
  resolve: "@medusajs/medusa/notification",
  options: {
    providers: [
      {
        resolve: "@medusajs/medusa/notification-local",
        id: "local",
        options: { channels: ["feed", "email", "sms", "whatsapp"] },
      },
    ],
  },
}

/** With more than one process, events, jobs and locks go over Redis (docs/scaling.md). */
const shared = REDIS_URL
  ? [
      { resolve: "@medusajs/medusa/event-bus-redis", options: { redisUrl: REDIS_URL } },
      {
        resolve: "@medusajs/medusa/workflow-engine-redis",
        options: { redis: { redisUrl: REDIS_URL } },
      },
      {
        resolve: "@medusajs/medusa/locking",
        options: {
          providers: [
            {
              id: "locking-redis",
              resolve: "@medusajs/medusa/locking-redis",
              is_default: true,
              options: { redisUrl: REDIS_URL },
            },
          ],
        },
      },
    ]
  : []

module.exports = withMerchantPayments(
  defineConfig({
    projectConfig: {
      databaseUrl: DATABASE_URL,
      ...(DEMO_POOL_MAX && { databaseDriverOptions: { pool: { max: Number(DEMO_POOL_MAX) } } }),
      ...(REDIS_URL && { redisUrl: REDIS_URL }),
      workerMode:
        MEDUSA_WORKER_MODE === "server" || MEDUSA_WORKER_MODE === "worker"
          ? MEDUSA_WORKER_MODE
          : "shared",
      http: {
        storeCors: STORE_CORS ?? "",
        adminCors: ADMIN_CORS ?? "",
        authCors: AUTH_CORS ?? "",
        jwtSecret: JWT_SECRET,
        cookieSecret: COOKIE_SECRET,
        compression: { enabled: true },
      },
    },
    // Where the links lead that Medusa's admin copies; the admin is built with it.
    admin: { storefrontUrl: "http://localhost:4100" },
    // Medusa reads its flags after its list of modules: the one of roles has to be named beside its
    // flag.
    modules: [
      notifications,
      ...shared,
      ...(MEDUSA_FF_RBAC === "true" ? [{ resolve: "@medusajs/medusa/rbac" }] : []),
    ],
  }),
  {
    account: {
      fee_bearer:
        DEMO_FEE_BEARER === "PAYER" || DEMO_FEE_BEARER === "PAYEE" ? DEMO_FEE_BEARER : null,
      order_placement: DEMO_ORDER_PLACEMENT === "order_first" ? "order_first" : "pay_first",
      policies: { money_out: true },
      wire_names: { "OPERATOR1_MOMO_LBR.menu_code": "*100#" },
    },
  },
)
