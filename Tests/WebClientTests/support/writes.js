import { RandomContent } from "./random.js";

/** Sends random REST writes and commands, several at a time. */
export class Writes {
  #make;
  #models;
  #posts = [];
  #server;

  constructor(server, models, random) {
    this.#server = server;
    this.#models = new Map(models.map((model) => [model.name, model]));
    this.#make = new RandomContent(random);
  }

  async some() {
    const count = 1 + this.#make.below(4);
    await Promise.all(Array.from({ length: count }, () => this.#one()));
  }

  async #one() {
    const number = this.#make.below(1000);
    const title = `${number} 🦊 "ë"\n`;
    const send = (name, command) => this.#models.get(name).send(command);
    const choices = [
      () => send("profile/1", { type: this.#make.pick(["appear", "loadPosts", "cancelPosts"]) }),
      () => send("podcasts/1", this.#anyCommand("podcasts/1")),
      () => send("scoreboard/1", { type: "setScore", player: 1 + (number % 3), score: number }),
      () => this.#addPost(title),
      () => this.#changePost(title),
      () => this.#deletePost(),
      () => this.#server.request("/v1/users/1", "PATCH", { username: title }),
      () => this.#moveItem(),
    ];
    await this.#make.pick(choices)();
  }

  #anyCommand(name) {
    const rows = this.#models.get(name).snapshot.sections.flatMap((section) => section.rows);
    const actions = rows.flatMap((row) => (row.action ? [row.action.command] : []));
    return actions.length ? this.#make.pick(actions) : { type: "load" };
  }

  async #addPost(title) {
    const post = { title, body: "x", date: "2026-03-09T08:00:00Z" };
    const { body } = await this.#server.request("/v1/users/1/posts", "POST", post);
    this.#posts.push(body.id);
  }

  async #changePost(title) {
    if (this.#posts.length === 0) return;
    const path = `/v1/users/1/posts/${this.#make.pick(this.#posts)}`;
    await this.#server.request(path, "PATCH", { title }).catch(unlessDeleted);
  }

  async #deletePost() {
    if (this.#posts.length === 0) return;
    const [id] = this.#posts.splice(this.#make.below(this.#posts.length), 1);
    await this.#server.request(`/v1/users/1/posts/${id}`, "DELETE").catch(unlessDeleted);
  }

  async #moveItem() {
    const { sections } = this.#models.get("catalog/1").snapshot;
    const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
    const [id, after] = [this.#make.pick(ids), this.#make.pick(ids)];
    if (id === after) return;
    const operations = [{ operation: "moveItem", id, after }];
    await this.#models.get("catalog/1").send({ type: "apply", operations });
  }
}

/** Ignores errors of writes to resources that were deleted meanwhile or lost in a restart. */
function unlessDeleted(error) {
  if (!/: 40[49] /.test(error.message)) throw error;
}
