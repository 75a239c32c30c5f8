import Testing

@testable import Pages

@Suite("A script of joined modules")
struct ModuleBundleTests {
  /// The texts of the scripts.
  private func join(_ modules: [String: String]) throws(JoiningError) -> [String] {
    let sources = modules.mapValues { Array($0.utf8) }
    return try ModuleBundle(entry: "page/main.js", sources: sources).scripts(named: "a").map(\.text)
  }

  @Test("has each module once, behind those that it imports")
  func order() throws {
    let scripts = try join([
      "page/main.js": """
      import { a } from "./a.js";
      import { b as other } from "../b.js";
      a(other);
      """,
      "page/a.js": "import { b } from '../b.js';\nexport function a(it) { return it + b; }",
      "b.js": "export const b = 1;",
    ])
    #expect(
      scripts == [
        """
        // b.js
        let __module1;
        {

        ; const b=1;
        __module1 = { b };
        }
        // page/a.js
        let __module2;
        {
        const { b } = __module1;

        ;
        ; function a(it){return it + b;}
        __module2 = { a };
        }
        // page/main.js
        let __module3;
        {
        const { a } = __module2;
        const { b: other } = __module1;

        ;
        ;
        a(other);
        __module3 = {  };
        }

        """
      ])
  }

  @Test("has modules that are imported by calls in a second script, with what only these import")
  func calls() throws {
    let scripts = try join([
      "page/main.js": """
      import { a } from "./a.js";
      async function b({ c }) { return (await import("./later/b.js")).b(a, c); }
      """,
      "page/a.js": "export const a = 1;",
      "page/later/b.js": """
      import { c } from "./c.js";
      export const b = (it) => [c(it), import("../main.js"), import("./c.js"), it.import("d")];
      """,
      "page/later/c.js": "import { a } from '../a.js';\nexport function c() {}",
    ])
    #expect(
      scripts == [
        """
        let __moduleLaterTries = 0;
        const __moduleLater = async (path) => {
          const before = __moduleLaterTries;
          try {
            return (await import(`./a-later.js${before > 0 ? `?${before}` : ""}`)).default[path];
          } catch (error) {
            __moduleLaterTries = before + 1;
            throw error;
          }
        };
        // page/a.js
        let __module1;
        {

        ; const a=1;
        __module1 = { a };
        }
        // page/main.js
        let __module2;
        {
        const { a } = __module1;

        ;
        async function b({c}){return(await __moduleLater("page/later/b.js")).b(a,c);}
        __module2 = {  };
        }
        export { __module1, __module2, __moduleLater };

        """,
        """
        import { __module1, __module2, __moduleLater } from "./a.js";
        // page/later/c.js
        let __module3;
        {
        const { a } = __module1;

        ;
        ; function c(){}
        __module3 = { c };
        }
        // page/later/b.js
        let __module4;
        {
        const { c } = __module3;

        ;
        ; const b=(it)=>[c(it),__moduleLater("page/main.js"),__moduleLater("page/later/c.js"),it.import("d")];
        __module4 = { b };
        }
        export default { "page/later/b.js": __module4, "page/main.js": __module2, "page/later/c.js": __module3 };

        """,
      ])
  }

  @Test(
    "may await in functions, in any block",
    arguments: [
      "async function b(c) { if (c) { await import('./a.js'); } }",
      "const b = async () => { try { await import('./a.js'); } finally {} };",
      "class B { async b(c = d(1)) { for (const e of c) { await import('./a.js'); } } }",
      "b(async () => { const c = { d: await import('./a.js') }; }, 1);",
    ])
  func functions(module: String) throws {
    let scripts = try join(["page/main.js": module, "page/a.js": "export const a = [1, 2];"])
    #expect(scripts.count == 2)
  }

  @Test("is refused if its second script could wait for itself")
  func waits() {
    let error = #expect(throws: JoiningError.self) {
      try join([
        "page/main.js": "import('./a.js');", "page/a.js": "await import('./b.js');",
        "page/b.js": "b();",
      ])
    }
    #expect(error?.reason == "page/a.js: line 1 awaits what a later script could have")
  }

  @Test("has no comments, and all that only looks like one")
  func comments() throws {
    let scripts = try join([
      "page/main.js": """
      /* import("a") */ const a = "// 1"; // var
      const b = /[/*]\\/\\/* 2/.test(`/* 3 ${`// ${{ a }.a} 4`} */`);
      const c = a /* 5
        */ / 2; const d = (b) / 2;
      let e = 1; e++ / 2;
      a.in / 1. /* 6 */ / 2;
      """
    ])
    #expect(
      scripts[0].contains(
        """
         const a="// 1";
        const b=/[/*]\\/\\/* 2/.test(`/* 3 ${`// ${{a}.a} 4`} */`);
        const c=a
        / 2;const d=(b)/ 2;
        let e=1;e++ / 2;
        a.in / 1. / 2;

        """))
  }

  @Test(
    "is refused if it could differ from its modules",
    arguments: [
      ("import a from './a.js';", "line 1 has an import of another form"),
      ("\nimport * as a from './a.js';", "line 2 has an import of another form"),
      ("import { a } from 'a';", "line 1 has an import of another form"),
      ("import { a } from './a.js?1';", "line 1 has an import of another form"),
      ("import { a } from './a.js' with { type: 'json' };", "line 1 has an import of another form"),
      ("import { c } from './a.js';", "page/a.js does not export c"),
      ("import './nothing.js';", "page/nothing.js: does not exist"),
      ("import '../../a.js';", "page/main.js: ../../a.js leads out of the folder"),
      ("import './main.js';", "page/main.js: imports itself by way of others"),
      ("const a = import('./' + 'a.js');", "line 1 has an import of another form"),
      ("const a = import('./a.js', { with: {} });", "line 1 has an import of another form"),
      ("import('./nothing.js');", "page/nothing.js: does not exist"),
      ("import('../../a.js');", "page/main.js: ../../a.js leads out of the folder"),
      ("\nawait import('./a.js');", "line 2 awaits what a later script could have"),
      ("import('./a.js');\n[...await a()];", "line 2 awaits what a later script could have"),
      ("\nif (a) { await import('./a.js'); }", "line 2 awaits what a later script could have"),
      ("const a = import.meta.url;", "line 1 has an import of another form"),
      ("export default 1;", "line 1 has an export of another form"),
      ("export let a = 1;", "line 1 has an export of another form"),
      ("let a = 1; export { a };", "line 1 has an export of another form"),
      ("export const { a } = {};", "line 1 has an export of another form"),
      ("export const a = [1, 2],\nb = 3;", "line 1 may export a second constant"),
      ("export * as a from './a.js';", "line 1 has an export of another form"),
      ("export * from './a.js'; export const a = 2;", "page/main.js: exports a twice"),
      ("var a = 1;", "line 1 has var, which other modules would see"),
      ("const __module1 = 1;", "line 1 has __module1, which other modules would see"),
      ("if (a) /'/.test(a);", "line 1 has slashes of two meanings"),
      ("a++ / 2; b('/', 'b // c', 'd');", "line 1 has slashes of two meanings"),
      ("const a = 'a\n';", "line 1 has an open '"),
      ("const a = /a\n/;", "line 1 has an open /"),
      ("const a = `a", "line 1 ends within a template"),
      ("}", "line 1 closes a brace that is not open"),
      ("{", "line 1 ends within braces"),
      ("/*", "line 1 ends within a comment"),
      ("#!/bin/node", "line 1 begins with #!"),
      ("// \u{2028} a()", "has a line break of another kind"),
      ("const ä = 1;", "line 1 has a rare character in code"),
    ])
  func refusals(module: String, reason: String) {
    let error = #expect(throws: JoiningError.self) {
      try join(["page/main.js": module, "page/a.js": "export const a = 1;"])
    }
    #expect(error?.reason.hasSuffix(reason) == true, "\(String(describing: error))")
  }
}
