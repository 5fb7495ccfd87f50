// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Go's net/http: a client for all requests, a goroutine for each in flight. Has the arguments and the JSON output of
// Harness.swift.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

var (
	requests = flag.Int("requests", 1000, "how many are measured")
	inFlight = flag.Int("inflight", 1, "how many at a time")
	warmup   = flag.Int("warmup", 100, "how many before those")
	http1    = flag.Bool("http1", false, "HTTP/1.1 only")
	http2    = flag.Bool("http2", false, "HTTP/2 only")
	streamed = flag.Bool("streamed", false, "count the body as it comes")
	once     = flag.Bool("once", false, "one request and no more")
	cold     = flag.Int64("cold", 0, "the length of each body; no request before those that are measured")
	upload   = flag.Int("upload", 0, "how many bytes each request uploads")
	root     = flag.String("root", "", "the certificate to trust")
)

// The body of an upload.
var zeros []byte

func check(err error) {
	if err != nil {
		log.Fatal("bench-go: ", err)
	}
}

func client() *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: *inFlight, ForceAttemptHTTP2: *http2}
	if *http1 {
		transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	if *root != "" {
		pem, err := os.ReadFile(*root)
		check(err)
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem)
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return &http.Client{Transport: transport, Timeout: 5 * time.Minute}
}

func get(client *http.Client, url string) int64 {
	request, err := http.NewRequest("GET", url, nil)
	if *upload > 0 {
		request, err = http.NewRequest("PUT", url, bytes.NewReader(zeros))
	}
	check(err)
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	if *http2 && response.ProtoMajor != 2 {
		log.Fatal("bench-go: the server spoke ", response.Proto)
	}
	if *streamed {
		count, err := io.Copy(io.Discard, response.Body)
		check(err)
		return count
	}
	body, err := io.ReadAll(response.Body)
	check(err)
	return int64(len(body))
}

func repeatedly(client *http.Client, url string, count int, length int64) {
	var group sync.WaitGroup
	for worker := 0; worker < *inFlight; worker++ {
		share := count / *inFlight
		if worker < count%*inFlight {
			share++
		}
		group.Add(1)
		go func() {
			defer group.Done()
			for done := 0; done < share; done++ {
				if get(client, url) != length {
					log.Fatal("bench-go: a body of another length")
				}
			}
		}()
	}
	group.Wait()
}

func processor() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: bench-go URL [--requests N] [--inflight K] [--warmup W]")
	}
	url := os.Args[1]
	check(flag.CommandLine.Parse(os.Args[2:]))
	zeros = make([]byte, *upload)
	client := client()
	length := *cold
	if length == 0 {
		length = get(client, url)
		if *once {
			fmt.Printf("{\"client\": \"go\", \"bytes\": %d}\n", length)
			return
		}
		first := *warmup
		if first < *inFlight {
			first = *inFlight
		}
		repeatedly(client, url, first, length)
	}
	start, cpu := time.Now(), processor()
	repeatedly(client, url, *requests, length)
	fmt.Printf("{\"client\": \"go\", \"requests\": %d, \"inFlight\": %d, \"bytes\": %d, \"wall\": %f, \"cpu\": %f}\n",
		*requests, *inFlight, length, time.Since(start).Seconds(), processor()-cpu)
}
