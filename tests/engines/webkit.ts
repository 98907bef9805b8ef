import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { createInterface } from "node:readline";
import { Builder, By, Capabilities } from "selenium-webdriver";
import { freePort } from "#tools/dev/free-port.ts";
import type { Engine } from "./engine.ts";

/** WebKitGTK's MiniBrowser on a virtual display. */
export async function openWebKit(): Promise<Engine> {
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await readDisplay(xvfb);
  const port = String(await freePort());
  const driverProcess = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
  });
  const [binary] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser");
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(
      new Capabilities({
        browserName: "MiniBrowser",
        "webkitgtk:browserOptions": { binary, args: ["--automation"] },
      }),
    )
    .build();
  return {
    open: (url) => driver.get(url),
    type: (selector, text) => driver.findElement(By.css(selector)).sendKeys(text),
    async click(selector) {
      const element = driver.findElement(By.css(selector));
      // Without this, the driver clicks the element's old position during smooth scrolling.
      await driver.executeScript("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element);
      await element.click();
    },
    evaluate: async (expression) => String(await driver.executeScript(`return (${expression})`)),
    async close() {
      await driver.quit();
      for (const child of [driverProcess, xvfb]) {
        child.kill();
        await once(child, "exit");
      }
    },
  };
}

/** With `-displayfd 3`, Xvfb writes its display number to file descriptor 3. */
async function readDisplay(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3];
  if (!pipe || !("read" in pipe)) throw new Error("Xvfb has no pipe");
  const [line] = await once(createInterface(pipe), "line");
  return String(line);
}
