/**
 * Runs the proofs one after the other. What has been proven is written even when a later one fails;
 * one broken promise, and the process ends with 1.
 */
import fs from "node:fs"
import { StartFailure } from "../../demo/run/failure.cjs"
import { crash } from "./crash"
import { decide } from "./decide"
import { distributed } from "./distributed"
import { fuzz } from "./fuzz"
import { histories } from "./histories"
import { install } from "./install"
import { mutants } from "./mutants"
import { readProofOptions, type ProofOptions } from "./options"
import { isBroken, type Proof, type ProofResult } from "./proof"
import { soak } from "./soak"
import { tables } from "./tables"

const PROOFS: readonly Proof[] = [
  decide,
  histories,
  crash,
  soak,
  fuzz,
  tables,
  mutants,
  install,
  distributed,
]

/** @param argv the arguments after the script */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const known = PROOFS.map(({ name }) => name)
    const results = await prove(readProofOptions(argv, known))
    if (Object.values(results).some(isBroken)) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof StartFailure ? error.message : error)
    process.exitCode = 1
  }
}

async function prove({
  names,
  seed,
  jsonFile,
  ...asked
}: ProofOptions): Promise<Record<string, ProofResult>> {
  const results: Record<string, ProofResult> = {}
  const say = (line: string) => console.log(line)
  try {
    for (const proof of PROOFS.filter(({ name }) => names.includes(name))) {
      say(`${proof.name}, seed ${seed} …`)
      results[proof.name] = await proof.run({ ...asked, seed, say })
    }
  } finally {
    const text = JSON.stringify(results, null, 2)
    if (jsonFile !== undefined) fs.writeFileSync(jsonFile, `${text}\n`)
    say(text)
  }
  return results
}
