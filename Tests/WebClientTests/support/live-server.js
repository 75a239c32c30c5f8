import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../.build/debug/viewdelta", import.meta.url));

/** The program of the server: that of `VIEWDELTA_BINARY`, or the one in `.build`. */
export const program = process.env.VIEWDELTA_BINARY ?? (existsSync(built) ? built : null);

/**
 * Returns a port below those that systems give out by themselves, so that no other program gets it while the server
 * is away between two starts.
 */
const anyPort = () => String(10_000 + Math.floor(Math.random() * 20_000));

/** A running server, which can be killed and restarted on its port. */
export class LiveServer {
  #arguments;
  /** @type {import("node:child_process").ChildProcess | null} */
  #process = null;
  base = "";

  /** @param {string[]} options */
  constructor(options = []) {
    this.#arguments = options;
  }

  /** Starts the server on its previous port; resolves when it listens. */
  async start() {
    if (this.base !== "") return this.#start(new URL(this.base).port);
    for (;;) {
      try {
        return await this.#start(anyPort());
      } catch (error) {
        if (!/already in use/.test(String(error))) throw error;
      }
    }
  }

  /** @param {string} port */
  async #start(port) {
    const options = ["serve", "--port", port, ...this.#arguments];
    const child = spawn(/** @type {string} */ (program), options, { stdio: "pipe" });
    this.#process = child;
    let errors = "";
    child.stderr.on("data", (data) => (errors += data));
    this.base = await new Promise((resolve, reject) => {
      let output = "";
      child.stdout.on("data", (data) => {
        output += data;
        const [, address] = /listens on (http:\S+?)\.? /.exec(output) ?? [];
        if (address) resolve(address);
      });
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${errors}`)));
    });
    return this;
  }

  /** Kills the server without a shutdown. */
  async kill() {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** @param {string} path @param {string} [method] @param {any} [body] */
  async request(path, method = "GET", body) {
    const headers = { "Content-Type": "application/json" };
    const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const response = await fetch(this.base + path, { method, ...content });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { text, body: text === "" ? null : JSON.parse(text) };
  }
}
