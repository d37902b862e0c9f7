/**
 * The demo store's configuration: what a customer would write, with every address and secret from
 * the environment that `npm start` sets.
 */
import { defineConfig } from "@medusajs/framework/utils"

const { ADMIN_CORS, AUTH_CORS, STORE_CORS, COOKIE_SECRET, DATABASE_URL, JWT_SECRET } = process.env

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    http: {
      storeCors: STORE_CORS ?? "",
      adminCors: ADMIN_CORS ?? "",
      authCors: AUTH_CORS ?? "",
      jwtSecret: JWT_SECRET,
      cookieSecret: COOKIE_SECRET,
    },
  },
})
