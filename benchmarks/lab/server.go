// Static file server with Range support for the lab: counts requests and bytes,
// and can add a fixed latency to each request and share a bandwidth among them.
// Or, before another server, adds a latency to each request and counts it.
//
//	server -root DIR [-addr 127.0.0.1:0]
//	server -before URL -ms MILLISECONDS [-addr 127.0.0.1:0]
//
// Paths:  /l<ms>/<file below root>          serve the file, after <ms> milliseconds
//
//	/l<ms>b<bytes>/<file below root>  the same, all bodies together at so many bytes a second
//	/_stats                           the counters as JSON;  /_reset  set them to 0
//
// With -before, all other paths are those of the other server. The files have an ETag
// of their time and size, as usual servers give.
//
// Prints one line, the port, when it listens. Ends when stdin closes.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type counters struct {
	Requests, Head, Meta, Ranged, MultiRange, Whole, NotFound, Suffix, Conns int64
	Bytes, DataBytes                                                         int64
	MaxInFlight                                                              int64
}

var (
	mu       sync.Mutex
	c        counters
	inflight int64
	conns    int64
)

type countWriter struct {
	http.ResponseWriter
	n    int64
	code int
}

func (w *countWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.n += int64(n)
	return n, err
}
func (w *countWriter) WriteHeader(code int) { w.code = code; w.ResponseWriter.WriteHeader(code) }

// The link that all capped answers share: when it is free again.
var (
	linkMu   sync.Mutex
	linkFree time.Time
)

// What a capped answer sends at once.
const piece = 16 << 10

type cappedWriter struct {
	http.ResponseWriter
	rate int64
}

// Write takes the link for each piece in turn and waits until the piece has passed it.
func (w *cappedWriter) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n := min(piece, len(b)-sent)
		linkMu.Lock()
		if now := time.Now(); linkFree.Before(now) {
			linkFree = now
		}
		linkFree = linkFree.Add(time.Duration(int64(n) * int64(time.Second) / w.rate))
		wait := time.Until(linkFree)
		linkMu.Unlock()
		time.Sleep(wait)
		k, err := w.ResponseWriter.Write(b[sent : sent+n])
		sent += k
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// parse reads l<ms> or l<ms>b<bytes a second>.
func parse(way string) (ms int, rate int64) {
	way, found := strings.CutPrefix(way, "l")
	if !found {
		return 0, 0
	}
	latency, cap, _ := strings.Cut(way, "b")
	ms, _ = strconv.Atoi(latency)
	rate, _ = strconv.ParseInt(cap, 10, 64)
	return ms, rate
}

// files serves the files below a folder.
func files(root string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 2)
		if len(parts) < 2 {
			http.NotFound(w, r)
			return
		}
		ms, rate := parse(parts[0])
		if rate > 0 {
			w = &cappedWriter{ResponseWriter: w, rate: rate}
		}
		if ms > 0 {
			time.Sleep(time.Duration(ms) * time.Millisecond)
		}
		f, err := os.Open(filepath.Join(root, filepath.Clean("/"+parts[1])))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		st, err := f.Stat()
		if err != nil || st.IsDir() {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf("\"%x-%x\"", st.ModTime().UnixNano(), st.Size()))
		http.ServeContent(w, r, "x.bin", time.Time{}, f)
	}
}

// proxy passes requests on to another server, each after ms milliseconds. The Host stays, because signatures cover it.
func proxy(before string, ms int) http.HandlerFunc {
	target, err := url.Parse(before)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	passing := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: 2000, DisableCompression: true},
	}
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(ms) * time.Millisecond)
		passing.ServeHTTP(w, r)
	}
}

func main() {
	root := flag.String("root", ".", "")
	addr := flag.String("addr", "127.0.0.1:0", "")
	before := flag.String("before", "", "")
	delay := flag.Int("ms", 0, "")
	flag.Parse()
	serve := files(*root)
	if *before != "" {
		serve = proxy(*before, *delay)
	}
	http.HandleFunc("/_stats", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		c.Conns = atomic.LoadInt64(&conns)
		json.NewEncoder(w).Encode(c)
		mu.Unlock()
	})
	http.HandleFunc("/_reset", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		c = counters{}
		atomic.StoreInt64(&conns, 0)
		mu.Unlock()
		fmt.Fprintln(w, "{}")
	})
	http.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		n := atomic.AddInt64(&inflight, 1)
		defer atomic.AddInt64(&inflight, -1)
		w := &countWriter{ResponseWriter: rw, code: 200}
		data := strings.Contains(r.URL.Path, "/c/")
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			c.Requests++
			c.Bytes += w.n
			if n > c.MaxInFlight {
				c.MaxInFlight = n
			}
			if r.Method == "HEAD" {
				c.Head++
			}
			if w.code == 404 {
				c.NotFound++
			}
			if !data {
				c.Meta++
				return
			}
			c.DataBytes += w.n
			if r.Method == "HEAD" {
				return
			}
			if rg := r.Header.Get("Range"); rg != "" {
				c.Ranged++
				if strings.Contains(rg, ",") {
					c.MultiRange++
				}
				if strings.HasPrefix(rg, "bytes=-") {
					c.Suffix++
				}
			} else {
				c.Whole++
			}
		}()
		serve(w, r)
	})
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	go func() { io.Copy(io.Discard, os.Stdin); os.Exit(0) }()
	s := &http.Server{ConnState: func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			atomic.AddInt64(&conns, 1)
		}
	}}
	s.Serve(l)
}
