"""What software projects are made of and run on."""

from __future__ import annotations

from .wordlists import listed

DATABASES = listed(
    """postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, redis, cassandra, couchdb, couchbase, dynamodb,
    firestore, firebase, supabase, neon, planetscale, cockroachdb, cockroach, yugabyte, yugabytedb, tidb, oracle,
    oracle db, sql server, ms sql, mssql, microsoft sql server, db2, clickhouse, duckdb, snowflake, bigquery, redshift,
    elasticsearch, opensearch, neo4j, arangodb, dgraph, influxdb, timescaledb, timescale, questdb, scylladb, scylla,
    rethinkdb, realm, turso, libsql, valkey, memcached, aurora, rds, spanner, cosmos db, cosmosdb, fauna, surrealdb,
    edgedb, singlestore, vitess, leveldb, rocksdb, h2, hbase, firebird, access, 达梦, 人大金仓, oceanbase, polardb,
    greenplum, milvus, qdrant, weaviate, pinecone, mongo atlas, mongodb atlas, aurora postgres, amazon rds, cloud sql,
    postgres 12, postgres 13, postgres 14, postgres 15, postgres 16, postgres 17, postgresql 14, postgresql 15,
    postgresql 16, postgresql 17, mysql 8, mysql 5.7, tdengine, starrocks, doris, d1, cloudflare d1"""
)
FRAMEWORKS = listed(
    """django, flask, fastapi, starlette, tornado, pyramid, rails, ruby on rails, sinatra, hanami, laravel,
        symfony, codeigniter, cakephp, spring, spring boot, quarkus, micronaut, ktor, express, express.js, nestjs,
        nest, next.js, nextjs, next, nuxt, nuxt.js, react, react native, preact, vue, vue.js, vue 3, vue 2, angular,
        angularjs, svelte, sveltekit, solid, solidjs, solidstart, qwik, astro, remix, gatsby, ember, backbone,
        jquery, htmx, alpine, alpine.js, phoenix, phoenix liveview, elixir phoenix, asp.net, asp.net core, blazor,
        .net, .net core, flutter, ionic, electron, tauri, qt, swiftui, uikit, jetpack compose, compose, actix, axum,
        rocket, leptos, yew, gin, echo, fiber, chi, koa, fastify, hono, adonis, meteor, play, akka, vaadin,
        litestar, streamlit, gradio, dash, hugo, jekyll, eleventy, tailwind, bootstrap, unity, unreal, unreal
        engine, godot, bevy, uni-app, taro, thinkphp, hyperf, springboot, egg.js, midway, beego, kratos, pytorch,
        tensorflow, wordpress, drupal, grails"""
)
PACKAGE_MANAGERS = listed(
    """npm, pnpm, yarn, yarn berry, bun, pip, pipenv, poetry, uv, conda, mamba, micromamba, pdm, hatch, rye, pixi,
        cargo, maven, gradle, sbt, nuget, composer, bundler, gem, rubygems, mix, hex, cocoapods, swift package
        manager, spm, carthage, homebrew, brew, nix, apt, apt-get, pacman, dnf, yum, zypper, apk, choco, chocolatey,
        scoop, winget, go modules, go mod, deno, lerna, rush, vcpkg, conan, pip-tools, asdf, mise, cabal, stack,
        opam, leiningen, rebar3, spack, cnpm, ivy, pacman, flatpak, snap, bazel"""
)
CI = listed(
    """github actions, gitlab ci, gitlab ci/cd, gitlab, jenkins, circleci, circle ci, travis, travis ci, azure
        devops, azure pipelines, bitbucket pipelines, teamcity, bamboo, buildkite, drone, drone ci, woodpecker,
        woodpecker ci, concourse, appveyor, semaphore, semaphore ci, codefresh, argo, argo cd, argo workflows,
        argocd, tekton, gocd, spinnaker, harness, aws codebuild, codebuild, codepipeline, aws codepipeline, cloud
        build, google cloud build, forgejo actions, gitea actions, cirrus ci, cirrus, dagger, earthly, bitrise,
        codemagic, xcode cloud, zuul, prow, sourcehut builds, builds.sr.ht, codeship, wercker, github, 云效, 流水线,
        coding, gitee go, blue ocean, buildbot, depot, blacksmith, hudson"""
)
LICENSES = listed(
    """mit, the mit license, mit license, mit licence, apache, apache 2.0, apache-2.0, apache 2, apache license
        2.0, apache license, gpl, gplv2, gplv3, gpl v2, gpl v3, gpl-3.0, gpl 3, gpl 2, gnu gpl, lgpl, lgplv3, lgpl
        v3, agpl, agplv3, agpl v3, agpl-3.0, bsd, bsd 2-clause, bsd 3-clause, bsd-2-clause, bsd-3-clause, 3-clause
        bsd, 2-clause bsd, isc, mpl, mpl 2.0, mpl-2.0, mozilla public license, epl, epl 2.0, eclipse public license,
        cc0, cc by, cc-by, cc by 4.0, cc-by-4.0, cc by-sa, cc-by-sa, cc by-sa 4.0, cc by-nc, creative commons,
        unlicense, the unlicense, wtfpl, zlib, boost, bsl, bsl 1.1, business source license, sspl, elastic license,
        proprietary, public domain, closed source, eupl, eupl 1.2, artistic license, cddl, osl, ms-pl, 木兰,
        木兰许可证, mulan, proprietär, propietaria, propietario, dominio público, eupl-1.2, blueoak, 0bsd, bsd-3,
        bsd-2"""
)
TARGETS = listed(
    """aws, amazon web services, aws lambda, lambda, ec2, aws ec2, ecs, aws ecs, eks, fargate, aws fargate,
        lightsail, elastic beanstalk, app runner, s3, cloudfront, gcp, google cloud, google cloud run, cloud run,
        app engine, gke, google kubernetes engine, compute engine, cloud functions, azure, azure app service, azure
        functions, aks, azure container apps, heroku, vercel, netlify, render, railway, fly.io, fly, digitalocean,
        digital ocean, linode, akamai, vultr, hetzner, hetzner cloud, ovh, ovhcloud, scaleway, upcloud, ionos,
        strato, contabo, cloudflare, cloudflare workers, cloudflare pages, deno deploy, github pages, gitlab pages,
        firebase, firebase hosting, surge, dokku, coolify, caprover, kubernetes, k8s, k3s, openshift, nomad, docker
        swarm, swarm, raspberry pi, a raspberry pi, on-prem, on prem, bare metal, our own servers, our own server,
        own servers, oracle cloud, ibm cloud, alibaba cloud, aliyun, tencent cloud, huawei cloud, platform.sh,
        pythonanywhere, appwrite, supabase, amplify, aws amplify, dokploy, kamal, hugging face spaces, clever cloud,
        exoscale, infomaniak, open telekom cloud, vps, a vps, nomad cluster, stackit, uberspace, 1&1, all-inkl,
        hostinger, dreamhost, 阿里云, 腾讯云, 华为云, 百度云, 火山引擎, 京东云, 七牛云, ucloud, 自建机房,
        自己的服务器, 本地服务器, 树莓派, 青云, 天翼云, 移动云, 亚马逊云, 谷歌云, 微软云, un vps, un vps de ovh, vps
        de ovh, arsys, nuestros servidores, nuestros propios servidores, servidores propios, eigene server, eigenen
        servern, eigenem server, unseren eigenen servern, k8s-cluster, kubernetes-cluster"""
)
RUNTIMES = listed(
    """python, node, node.js, nodejs, java, jdk, openjdk, go, golang, rust, ruby, php, kotlin, scala, swift, c++,
        c#, .net, dotnet, elixir, erlang, typescript, ts, javascript, deno, bun, perl, lua, julia, haskell, ghc,
        dart, zig, ocaml, clojure, r, groovy, f#, crystal, nim, fortran, cobol, gcc, clang, es, ecmascript""",
    """c++11, c++14, c++17, c++20, c++23, java8, java11, java17, java21, php8, python3, c99, c11, c89, es6, es2020,
        jdk8, jdk11, jdk17, jdk21, c++98""",
)
RULE_WORDS = listed(
    """branch, branches, main, master, develop, trunk, pr, prs, merge, merges, rebase, rebased, squash, pull
        requests, rama, ramas, feature-branches, release-branch, feature-branch, branch-namen, hotfix, hotfixes"""
)
RULE_SIGNS = (
    "pull request",
    "feature branch",
    "release branch",
    "分支",
    "主干",
    "合并",
    "main branch",
    """
    master branch""",
)
BINDING = listed(
    """never, always, only, must, nobody, all, every, no, protected, without, needs, need, require, requires,
        required, through, via, nunca, siempre, nadie, pasa, pasan, entra, entran, solo, sólo, nie, niemals, immer,
        nur, niemand, alle, jeder, müssen, muss, geschützt, protegida, brauchen, braucht, necesita, necesitan,
        prohibido, requieren, requiere, via, über, forbidden, allowed, ohne, sin"""
)
BINDING_SIGNS = ("no one", "先", "必须", "都", "不能", "不准", "禁止", "只能", "不允许", "要", "不许", "一律")
